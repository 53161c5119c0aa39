/** Bodies in the log, at the level `debug` only: prompts and completions are nobody's business otherwise. */
import type { ServerResponse } from 'node:http'
import type { Logger } from '../foundation/platform/logger.ts'
import type { ClientStream } from './answer/client-stream.ts'

type What = 'request body' | 'response body'

const MAX_LOGGED_BYTES = 64 * 1024

export function logBody(log: Logger, requestId: string, what: What, body: Buffer | string): void {
  if (!log.isLevelEnabled('debug')) return
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  log.debug({ id: requestId, bytes: bytes.length, body: bytes.toString('utf8', 0, MAX_LOGGED_BYTES) }, what)
}

/** Keeps the beginning of what the stream carries, and logs it when the stream has ended, however that came. */
export function logStream(
  log: Logger,
  requestId: string,
  response: ServerResponse,
  client: ClientStream,
): ClientStream {
  if (!log.isLevelEnabled('debug')) return client
  const kept: Buffer[] = []
  let keptBytes = 0
  let bytes = 0
  const keep = (piece: Buffer): void => {
    bytes += piece.length
    if (keptBytes >= MAX_LOGGED_BYTES) return
    // A copy: whoever writes may use the memory again.
    kept.push(Buffer.from(piece.subarray(0, MAX_LOGGED_BYTES - keptBytes)))
    keptBytes += kept.at(-1)?.length ?? 0
  }
  response.once('close', () => {
    if (bytes > 0) log.debug({ id: requestId, bytes, body: Buffer.concat(kept).toString('utf8') }, 'response body')
  })
  return {
    ...client,
    write: (piece) => {
      keep(piece)
      return client.write(piece)
    },
    end: (lastPiece) => {
      if (lastPiece !== undefined) keep(lastPiece)
      client.end(lastPiece)
    },
  }
}
