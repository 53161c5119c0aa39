/** Bounds what one process takes on at once; beyond it callers are told to come back instead of being queued. */
import type { IncomingMessage } from 'node:http'
import { type Clock, systemClock } from '../../foundation/platform/clock.ts'
import { type HoldBody, MESSAGE_BODY_LIMIT_BYTES } from './receive-body.ts'

const MAX_CALLS = 10_000
/** How much of all places one caller may take for bodies that have not come, once more than half of them are taken. */
const SHARE_OF_SILENT_CALLER = 1 / 10
/** Bodies are held in memory while they are read and sent on. */
const MAX_BODY_BYTES = 768 * 1024 * 1024
/** What a body without an announced length is taken for when it is looked whether there is room. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024
/** A body that has not grown by so much in this time has stalled: others come before it where there is no room for both. */
const STEP_BYTES = 64 * 1024
const STALLED_MS = 10_000

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

/** Whose body takes room and may still be coming. */
interface Sender {
  readonly giveUp: () => boolean
  readonly free: () => void
  movedAtMs: number
}

const notCounted = (): void => undefined

export function createOverloadGate(
  maxBodyBytes = MAX_BODY_BYTES,
  maxCalls = MAX_CALLS,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): OverloadGate {
  let calls = 0
  let bodyBytes = 0
  /** Calls that came when more than half of the places were taken, by caller. */
  const waiting = new Map<string, number>()
  /** Who has moved least recently comes first. */
  const senders = new Set<Sender>()

  const hasRoom = (bytes: number, own?: Sender): boolean => {
    if (bodyBytes + bytes <= maxBodyBytes) return true
    const stalledSinceMs = clock.monotonicMs() - STALLED_MS
    for (const sender of senders) {
      if (sender.movedAtMs > stalledSinceMs || bodyBytes + bytes <= maxBodyBytes) break
      if (sender === own) continue
      senders.delete(sender)
      if (sender.giveUp()) sender.free()
    }
    return bodyBytes + bytes <= maxBodyBytes
  }

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
      if (calls >= maxCalls || !hasRoom(bytes)) return undefined
      calls += 1
      // Room is taken by what has come: else two dozen who announce much and send nothing would shut everybody out.
      let held = 0
      let isOver = false
      let stepBytes = STEP_BYTES
      let sender: Sender | undefined
      const bodySent = (): void => {
        bodyBytes -= held
        held = 0
        if (sender !== undefined) senders.delete(sender)
      }
      const end = (): void => {
        isOver = true
        bodySent()
      }
      const moved = (giveUp: () => boolean): void => {
        stepBytes = held + STEP_BYTES
        sender ??= { giveUp, free: end, movedAtMs: 0 }
        sender.movedAtMs = clock.monotonicMs()
        senders.delete(sender)
        senders.add(sender)
      }
      return {
        bodyHeld: (now, giveUp) => {
          const more = now - held
          if (more <= 0) return true
          // A body may go on coming to a call that is over: what was counted now nobody would give back.
          if (isOver || !hasRoom(more, sender)) return false
          bodyBytes += more
          held = now
          if (held >= stepBytes) moved(giveUp)
          return true
        },
        bodySent,
        leave: () => {
          end()
          calls -= 1
        },
      }
    },
  }
}
