/** Bounds what one process takes on at once; beyond it callers are told to come back instead of being queued. */
import type { IncomingMessage } from 'node:http'
import { MESSAGE_BODY_LIMIT_BYTES } from './receive-body.ts'

const MAX_CALLS = 10_000
/** Bodies are held in memory while they are read and sent on. */
const MAX_BODY_BYTES = 768 * 1024 * 1024
/** What a body without an announced length is counted as. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024

export interface Place {
  /** The body is not held any more. */
  readonly bodySent: () => void
  readonly leave: () => void
}

export interface OverloadGate {
  /** Undefined when the process is full. */
  readonly enter: (request: IncomingMessage) => Place | undefined
  readonly calls: () => number
}

export function createOverloadGate(): OverloadGate {
  let calls = 0
  let bodyBytes = 0
  return {
    calls: () => calls,
    enter: (request) => {
      const announced = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES) || 0
      // No more is ever held, and a body above the limit is refused for that and not for want of room.
      const bytes = Math.min(announced, MESSAGE_BODY_LIMIT_BYTES)
      if (calls >= MAX_CALLS || bodyBytes + bytes > MAX_BODY_BYTES) return undefined
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
