/** Bounds what one process takes on at once; beyond it callers are told to come back instead of being queued. */
import type { IncomingMessage } from 'node:http'
import { type HoldBody, MESSAGE_BODY_LIMIT_BYTES } from './receive-body.ts'

const MAX_CALLS = 10_000
/** Bodies are held in memory while they are read and sent on. */
const MAX_BODY_BYTES = 768 * 1024 * 1024
/** What a body without an announced length is taken for when it is looked whether there is room. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024

export interface Place {
  readonly bodyHeld: HoldBody
  /** The body is not held any more. */
  readonly bodySent: () => void
  readonly leave: () => void
}

export interface OverloadGate {
  /** Undefined when the process is full. */
  readonly enter: (request: IncomingMessage) => Place | undefined
  readonly calls: () => number
}

export function createOverloadGate(maxBodyBytes = MAX_BODY_BYTES): OverloadGate {
  let calls = 0
  let bodyBytes = 0
  return {
    calls: () => calls,
    enter: (request) => {
      const announced = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES) || 0
      // No more is ever held, and a body above the limit is refused for that and not for want of room.
      const bytes = Math.min(announced, MESSAGE_BODY_LIMIT_BYTES)
      if (calls >= MAX_CALLS || bodyBytes + bytes > maxBodyBytes) return undefined
      calls += 1
      // Room is taken by what has come: else two dozen who announce much and send nothing would shut everybody out.
      let held = 0
      let isOver = false
      const bodySent = (): void => {
        bodyBytes -= held
        held = 0
      }
      return {
        bodyHeld: (now) => {
          const more = now - held
          if (more <= 0) return true
          // A body may go on coming to a call that is over: what was counted now nobody would give back.
          if (isOver || bodyBytes + more > maxBodyBytes) return false
          bodyBytes += more
          held = now
          return true
        },
        bodySent,
        leave: () => {
          isOver = true
          bodySent()
          calls -= 1
        },
      }
    },
  }
}
