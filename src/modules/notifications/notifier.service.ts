/** Takes in what others notice and puts it into the outbox. Callers never wait and never fail. */
import { LRUCache } from 'lru-cache'
import type { BudgetEvent } from '../../foundation/domain/budget-event.ts'
import type { Dedupe, EventSubject, NotificationEvent } from '../../foundation/domain/notification.ts'
import {
  budgetDedupe,
  budgetEvent,
  RATE_LIMIT_PAUSE_SECONDS,
  rateLimitDedupe,
  rateLimitEvent,
  type Stamp,
} from '../../foundation/domain/notification-notice.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface NotifierPorts {
  readonly clock: Clock
  /** Rejects while the database is away. */
  readonly enqueue: (event: NotificationEvent, dedupe: Dedupe) => Promise<boolean>
  readonly findSubject: (scope: 'user' | 'team', id: string) => EventSubject
  readonly onLost: (event: NotificationEvent) => void
}

export interface RefusedKey {
  readonly id: string
  readonly prefix: string
  readonly limitRpm: number
  readonly subject: EventSubject
}

export interface Notifier {
  readonly notify: (notice: BudgetEvent) => void
  readonly rateLimitHit: (key: RefusedKey) => void
  /** Puts away what waits for the database; rejects when it is still away. */
  readonly flush: () => Promise<void>
}

/** An outage of the database with more news than this loses the oldest. */
const MAX_WAITING = 1_000
const MAX_KEYS = 10_000
const WINDOW_SECONDS = 60

interface Refusals {
  windowStartedMs: number
  count: number
  /** Not told yet while undefined. */
  toldMs: number | undefined
}

export function createNotifier({ clock, enqueue, findSubject, onLost }: NotifierPorts): Notifier {
  const waiting: { readonly event: NotificationEvent; readonly dedupe: Dedupe }[] = []
  // Forgotten on restart: the database keeps the interval for all instances, this only spares it questions.
  const refusals = new LRUCache<string, Refusals>({ max: MAX_KEYS })
  let flushing: Promise<void> | undefined
  const stamp = (): Stamp => ({ id: newId(), timestamp: new Date(clock.nowMs()).toISOString() })

  const putAway = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      await enqueue(next.event, next.dedupe)
      if (waiting[0] === next) waiting.shift()
    }
  }
  const flush = (): Promise<void> => {
    flushing ??= putAway().finally(() => {
      flushing = undefined
    })
    return flushing
  }
  const add = (event: NotificationEvent, dedupe: Dedupe): void => {
    const lost = waiting.length >= MAX_WAITING ? waiting.shift() : undefined
    if (lost !== undefined) onLost(lost.event)
    waiting.push({ event, dedupe })
    // failure-modes: notification waits for the database. It stays in the list, and the delivery loop flushes again.
    flush().catch(() => {})
  }

  return {
    flush,
    notify: (notice) =>
      add(budgetEvent(notice, findSubject(notice.scope, notice.subjectId), stamp()), budgetDedupe(notice)),
    rateLimitHit: (key) => {
      const nowMs = clock.monotonicMs()
      const known = refusals.get(key.id) ?? { windowStartedMs: nowMs, count: 0, toldMs: undefined }
      if (nowMs - known.windowStartedMs >= WINDOW_SECONDS * 1_000) {
        known.windowStartedMs = nowMs
        known.count = 0
      }
      known.count += 1
      refusals.set(key.id, known)
      if (known.toldMs !== undefined && nowMs - known.toldMs < RATE_LIMIT_PAUSE_SECONDS * 1_000) return
      known.toldMs = nowMs
      const notice = {
        keyId: key.id,
        keyPrefix: key.prefix,
        limitRpm: key.limitRpm,
        windowSeconds: WINDOW_SECONDS,
        rejectedInWindow: known.count,
      }
      add(rateLimitEvent(notice, key.subject, stamp()), rateLimitDedupe(key.id))
    },
  }
}
