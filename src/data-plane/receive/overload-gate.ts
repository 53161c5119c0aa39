/** Bounds what one process takes on at once; beyond it callers are told to come back instead of being queued. */
import type { IncomingMessage } from 'node:http'
import { type HoldBody, MESSAGE_BODY_LIMIT_BYTES } from './receive-body.ts'

const MAX_CALLS = 10_000
/** How much of all places one caller may take for bodies that have not come, once more than half of them are taken. */
const SHARE_OF_SILENT_CALLER = 1 / 10
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
  /**
   * From here until what it returns is called, the call waits for its body, for up to five minutes. Undefined when the
   * process is more than half full and the caller has taken too much of the rest by such calls: one who sends heads and
   * no bodies must not shut everybody out.
   */
  readonly awaitBody: (caller: string) => (() => void) | undefined
  readonly calls: () => number
}

const notCounted = (): void => undefined

export function createOverloadGate(maxBodyBytes = MAX_BODY_BYTES, maxCalls = MAX_CALLS): OverloadGate {
  let calls = 0
  let bodyBytes = 0
  /** Calls that came when more than half of the places were taken, by caller. */
  const waiting = new Map<string, number>()
  return {
    calls: () => calls,
    awaitBody: (caller) => {
      // Nearly always so, and then nobody is counted.
      if (calls <= maxCalls / 2) return notCounted
      const own = waiting.get(caller) ?? 0
      if (own >= maxCalls * SHARE_OF_SILENT_CALLER) return undefined
      waiting.set(caller, own + 1)
      return () => {
        const left = (waiting.get(caller) ?? 0) - 1
        if (left > 0) waiting.set(caller, left)
        else waiting.delete(caller)
      }
    },
    enter: (request) => {
      const announced = Number(request.headers['content-length'] ?? UNKNOWN_LENGTH_BYTES) || 0
      // No more is ever held, and a body above the limit is refused for that and not for want of room.
      const bytes = Math.min(announced, MESSAGE_BODY_LIMIT_BYTES)
      if (calls >= maxCalls || bodyBytes + bytes > maxBodyBytes) return undefined
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
