/** Reads a request's body to its end or to a limit, and leaves the connection able to carry the answer. */
import type { IncomingMessage } from 'node:http'
import { problem } from '../../../foundation/domain/errors.ts'

/** Listens instead of iterating: leaving an iteration early destroys the connection before the refusal is sent. */
export function readToEnd(request: IncomingMessage, maxBytes: number, onPiece: (piece: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0
    request.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > maxBytes) reject(problem('body_too_large', { limit: `${Math.floor(maxBytes / 1024)} KiB` }))
      else onPiece(piece)
    })
    request.on('end', resolve)
    // Whoever leaves in the middle is no fault of ours, and nothing for the error log.
    request.on('error', (error) => reject(problem('request_timeout', {}, { cause: error })))
    request.on('close', () => reject(problem('request_timeout')))
  })
}
