/** Writes whole answers and refusals, and notices when the client is gone before they could be written. */
import type { ServerResponse } from 'node:http'
import type { Exchange } from '../../foundation/domain/model-host.ts'
import type { ClientDisconnects } from './client-disconnects.ts'

type Headers = Readonly<Record<string, string>>

/** Up to here an answer goes out in one piece with its head; gathering writes cost more than the copy. */
const ONE_PIECE_BYTES = 16_384

/** Adds to `headers`, which are made for this answer alone: a copy would be of no use to anybody. */
export function sendWhole(
  response: ServerResponse,
  headers: Record<string, string>,
  body: readonly Buffer[],
  bytes: number,
): void {
  if (response.destroyed || response.headersSent) return
  headers['content-type'] = 'application/json'
  headers['content-length'] = String(bytes)
  response.writeHead(200, headers)
  if (bytes <= ONE_PIECE_BYTES) {
    // Byte for byte: Node joins text to the head, buffers it does not.
    let text = ''
    for (const piece of body) text += piece.toString('latin1')
    response.end(text, 'latin1')
    return
  }
  const last = body.length - 1
  for (let index = 0; index < last; index += 1) response.write(body[index])
  response.end(body[last])
}

export function sendText(response: ServerResponse, status: number, headers: Headers, body: string): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Calls back when the last byte has left the process, or when there is nobody to take it, or nobody does for `unreadMs`. */
export function afterSent(response: ServerResponse, unreadMs: number, done: () => void): void {
  if (!response.writableEnded || response.writableFinished || response.destroyed) {
    done()
    return
  }
  response.once('close', done)
  // Only where bytes wait: most answers are taken at once.
  if (response.socket !== null && response.socket.writableLength > 0) response.setTimeout(unreadMs)
}

export interface DisconnectWatch {
  readonly began: (exchange: Exchange) => void
  readonly hasLeft: () => boolean
  readonly abort: () => void
  readonly done: () => void
}

/** For answers that are gathered whole: when the client leaves, the answer is waited for a while, for its usage. */
export function watchDisconnect(response: ServerResponse, disconnects: ClientDisconnects): DisconnectWatch {
  let exchange: Exchange | undefined
  let left = false
  let isGivenUp = false
  let waiting: { readonly done: () => void } | undefined
  const giveUp = (): void => {
    isGivenUp = true
    exchange?.abort()
  }
  const onClose = (): void => {
    if (response.writableFinished) return
    left = true
    waiting = disconnects.begin(giveUp)
  }
  response.on('close', onClose)
  // It may have left while its model was looked up, before anybody listened.
  if (response.destroyed) onClose()
  return {
    began: (started) => {
      exchange = started
      // It may have been given up while its model was looked up, or its budget asked.
      if (isGivenUp) started.abort()
    },
    hasLeft: () => left,
    abort: giveUp,
    done: () => {
      response.off('close', onClose)
      waiting?.done()
    },
  }
}
