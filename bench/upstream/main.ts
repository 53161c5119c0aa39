/** The stub of the hosted service: its own process, raw sockets, answers built once, no signature check. */
import { createServer, type Socket } from 'node:net'
import {
  converseAnswer,
  converseStream,
  emptyAnswer,
  invokeAnswer,
  invokeStream,
  profilesAnswer,
  type StreamBytes,
} from './answers.ts'
import { createPacer, type Pacer } from './pacer.ts'

/** How streams are sent until the next order on `/bench/...`. */
type Mode =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'paced'; readonly pacer: Pacer }
  /** Head and first event, then silence. */
  | { readonly kind: 'silent' }

interface Prepared {
  readonly bytes: StreamBytes
  readonly whole: Buffer
  readonly first: Buffer
}

let eventCount = 0
let invoke: Prepared
let converse: Prepared
let mode: Mode = { kind: 'at-once' }

function prepared(bytes: StreamBytes): Prepared {
  const first = bytes.events[0] ?? Buffer.alloc(0)
  return {
    bytes,
    whole: Buffer.concat([bytes.head, ...bytes.events, bytes.end]),
    first: Buffer.concat([bytes.head, first]),
  }
}

function useEvents(count: number): void {
  if (count === eventCount) return
  eventCount = count
  invoke = prepared(invokeStream(count))
  converse = prepared(converseStream(count))
}
useEvents(300)

/** `/bench/at-once/{events}`, `/bench/paced/{events}/{events per second}`, `/bench/silent/{events}` */
function obey(path: string): void {
  const [, , kind, events, rate] = path.split('/')
  if (mode.kind === 'paced') mode.pacer.stop()
  useEvents(Number(events))
  if (kind === 'paced') mode = { kind, pacer: createPacer(Number(rate)) }
  else mode = { kind: kind === 'silent' ? kind : 'at-once' }
}

function sendStream(socket: Socket, stream: Prepared): void {
  if (mode.kind === 'at-once') socket.write(stream.whole)
  else {
    socket.write(stream.first)
    if (mode.kind === 'paced') mode.pacer.add(socket, stream.bytes)
  }
}

function answer(socket: Socket, path: string): void {
  if (path.endsWith('/invoke-with-response-stream')) sendStream(socket, invoke)
  else if (path.endsWith('/invoke')) socket.write(invokeAnswer)
  else if (path.endsWith('/converse-stream')) sendStream(socket, converse)
  else if (path.endsWith('/converse')) socket.write(converseAnswer)
  else if (path.startsWith('/inference-profiles')) socket.write(profilesAnswer)
  else {
    if (path.startsWith('/bench/')) obey(path)
    socket.write(emptyAnswer)
  }
}

const border = Buffer.from('\r\n\r\n')

function serve(socket: Socket): void {
  socket.setNoDelay(true)
  let partialHead: Buffer | undefined
  let path = ''
  let missingBytes = 0
  const readHead = (bytes: Buffer, start: number): number => {
    const from = start === 0 ? bytes : bytes.subarray(start)
    const joined = partialHead === undefined ? from : Buffer.concat([partialHead, from])
    const end = joined.indexOf(border)
    if (end < 0) {
      partialHead = Buffer.from(joined)
      return bytes.length
    }
    const head = joined.toString('latin1', 0, end)
    path = head.slice(head.indexOf(' ') + 1, head.indexOf(' ', head.indexOf(' ') + 1)).split('?', 1)[0] ?? ''
    missingBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    const consumed = end + border.length - (partialHead?.length ?? 0)
    partialHead = undefined
    if (missingBytes === 0) answer(socket, path)
    return start + consumed
  }
  socket.on('data', (bytes: Buffer) => {
    let position = 0
    while (position < bytes.length) {
      if (missingBytes === 0) {
        position = readHead(bytes, position)
        continue
      }
      const taken = Math.min(missingBytes, bytes.length - position)
      position += taken
      missingBytes -= taken
      if (missingBytes === 0) answer(socket, path)
    }
  })
  socket.on('error', () => socket.destroy())
}

createServer(serve).listen({ host: '127.0.0.1', port: Number(process.argv[2]), backlog: 8192 }, () =>
  console.log('listening'),
)
