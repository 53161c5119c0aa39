/** The client's side of a stream: sends the head once, writes, pings, feels back-pressure and notices departure. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock.ts'
import type { Pinged, Pings } from './pings.ts'
import { writeChunk } from './write-chunk.ts'

export interface ClientStreamOptions {
  readonly response: ServerResponse
  readonly headers: Readonly<Record<string, string>>
  /** Written between events when nothing else was for a while. */
  readonly pingBytes: Buffer
  readonly pings: Pings
  readonly clock: Clock
  readonly unreadMs: number
  /** The client reads again after `write` said to wait. */
  readonly onDrain: () => void
}

export interface ClientStream {
  readonly hasHead: () => boolean
  /** Sends the head now and starts the pings. */
  readonly open: () => void
  /** False when the client reads slower than we write: wait for `onDrain`. */
  readonly write: (bytes: Buffer) => boolean
  readonly end: (lastBytes?: Buffer) => void
}

export function createClientStream(options: ClientStreamOptions): ClientStream {
  const { response, clock, pings } = options
  const pinged: Pinged = {
    place: -1,
    lastWriteMs: 0,
    ping: () => {
      // A full socket needs no proof of life, and a ping must not grow its queue.
      if (response.writableNeedDrain || response.writableEnded) return
      pinged.lastWriteMs = clock.monotonicMs()
      writeChunk(response, options.pingBytes)
    },
  }

  const onDrain = (): void => {
    response.setTimeout(0)
    options.onDrain()
  }

  /** Without sending the head: it leaves in one piece with the first events. */
  const begin = (): void => {
    // Its `close` has passed: a stream that began now would be pinged for ever.
    if (response.headersSent || response.destroyed) return
    response.writeHead(200, options.headers)
    pinged.lastWriteMs = clock.monotonicMs()
    pings.add(pinged)
    response.on('drain', onDrain)
    response.once('close', () => pings.remove(pinged))
  }

  return {
    hasHead: () => response.headersSent,
    open: () => {
      if (response.headersSent || response.destroyed) return
      begin()
      response.flushHeaders()
    },
    write: (bytes) => {
      // A client that is gone never drains, and nobody needs to wait for it.
      if (response.destroyed) return true
      begin()
      pinged.lastWriteMs = clock.monotonicMs()
      if (writeChunk(response, bytes)) return true
      // Node closes the connection then, and measures from the last byte that the system took.
      response.setTimeout(options.unreadMs)
      return false
    },
    end: (lastBytes) => {
      begin()
      pings.remove(pinged)
      if (lastBytes === undefined || lastBytes.length === 0) response.end()
      else response.end(lastBytes)
    },
  }
}
