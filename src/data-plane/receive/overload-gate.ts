/** Bounds what one process takes on at once; beyond it callers are told to come back instead of being queued. */
import type { IncomingMessage } from 'node:http'
import { problem } from '../../domain/errors.ts'

const MAX_CALLS = 10_000
/** Bodies are held in memory while they are read and sent on. */
const MAX_BODY_BYTES = 768 * 1024 * 1024
/** What a body without an announced length is counted as. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024

export interface OverloadGate {
  /** Throws when the process is full. */
  readonly enter: (request: IncomingMessage) => { readonly bodySent: () => void; readonly leave: () => void }
  readonly calls: () => number
}

export function createOverloadGate(): OverloadGate {
  let calls = 0
  let bodyBytes = 0
  return {
    calls: () => calls,
    enter: (request) => {
      const bytes = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES) || 0
      if (calls >= MAX_CALLS || bodyBytes + bytes > MAX_BODY_BYTES)
        throw problem('overloaded', {}, { headers: { 'retry-after': '2' } })
      calls += 1
      bodyBytes += bytes
      let held = bytes
      const bodySent = (): void => {
        bodyBytes -= held
        held = 0
      }
      return {
        bodySent,
        leave: () => {
          bodySent()
          calls -= 1
        },
      }
    },
  }
}
