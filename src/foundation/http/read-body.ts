/**
 * Reads the bodies of incoming requests. Two kinds come another way: Fastify reads the small JSON bodies of API routes, and
 * uploads of reports stay a stream, because a report is larger than what fits into memory.
 * Our own, because callers count a body while it comes, and can refuse the rest of it before the connection closes.
 */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'

export interface BodyRules {
  readonly maxBytes: number
  readonly tooLarge: () => Error
  /** The client left, or was too slow. The cause is an error of the connection. */
  readonly endedEarly: (cause?: Error) => Error
  readonly inflate?: { readonly stream: Transform; readonly unreadable: () => Error }
}

export interface BodyReading {
  /** Resolves when all of the body has come. */
  readonly done: Promise<void>
  /** Refuses what is still to come, for this reason. False when nothing is coming any more. */
  readonly stop: (reason: Error) => boolean
}

/** Listens instead of iterating: leaving an iteration early destroys the connection before the refusal is sent. */
export function readPieces(
  request: IncomingMessage,
  rules: BodyRules,
  onPiece: (piece: Buffer, size: number) => void,
): BodyReading {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  const source = rules.inflate?.stream ?? request
  let size = 0
  let isComing = true
  const stop = (reason: Error): boolean => {
    if (!isComing) return false
    isComing = false
    source.removeAllListeners('data')
    // The rest of the body is read and thrown away, so that the client gets the answer instead of a reset.
    request.unpipe()
    request.resume()
    reject(reason)
    return true
  }
  // The client may have left while its token was checked. Then no event would ever come.
  if (request.destroyed) stop(rules.endedEarly())
  source.on('data', (piece: Buffer) => {
    // Counted after inflation: a small body may inflate to any size.
    size += piece.length
    if (size > rules.maxBytes) stop(rules.tooLarge())
    else onPiece(piece, size)
  })
  source.on('end', () => {
    isComing = false
    resolve()
  })
  // A client that leaves is no fault of the gateway, and nothing for the error log.
  request.on('error', (error) => stop(rules.endedEarly(error)))
  request.on('close', () => {
    // A complete body may still be on its way through the inflater.
    if (rules.inflate === undefined || !request.complete) stop(rules.endedEarly())
  })
  if (rules.inflate !== undefined) {
    const { stream, unreadable } = rules.inflate
    stream.on('error', () => stop(unreadable()))
    request.pipe(stream)
  }
  return { done, stop }
}

export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<Buffer> {
  const pieces: Buffer[] = []
  await readPieces(request, rules, (piece) => pieces.push(piece)).done
  return Buffer.concat(pieces)
}
