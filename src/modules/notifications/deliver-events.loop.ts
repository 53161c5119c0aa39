/** Sends what waits in the outbox to the destination in force. Each event is one instance's at a time. */

import type { Database } from '../../foundation/database/database.ts'
import type { EventCategory } from '../../foundation/domain/notification.ts'
import {
  type CategoryFlags,
  type Destination,
  defaultCategories,
} from '../../foundation/domain/notification-destination.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { decideNextAttempt } from './back-off.ts'
import { createDeliveryStore } from './deliveries.store.ts'
import { createNotificationConfigStore } from './notification-configs.store.ts'
import { type ClaimedEvent, createOutboxStore, type OutboxStore } from './outbox.store.ts'
import type { SealedDestination, Sender } from './send-event.ts'
import type { SendResult } from './send-result.ts'

export interface DeliveryPorts {
  /** Undefined while there is none. */
  readonly findDatabase: () => Database | undefined
  /** BUDGET_NOTIFICATION_URL. */
  readonly fallback: Destination | null
  readonly send: Sender['send']
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly random: () => number
  readonly onAttempt: (status: SendResult['kind']) => void
}

export interface EventDelivery {
  /** Starts what is due and does not wait for it: a receiver that hangs holds up nothing else. */
  readonly startDue: (signal: AbortSignal) => Promise<void>
  readonly forgetOld: () => Promise<void>
  /** Resolves when nothing is on its way, or after so long. */
  readonly settled: (waitMs: number) => Promise<void>
}

/** Two allowances, so that repetitions to a receiver that hangs never take the place of news. */
const MAX_FRESH = 16
const MAX_REPEATED = 8

interface Target {
  readonly destination: SealedDestination
  readonly categories: CategoryFlags
}

export function createEventDelivery(ports: DeliveryPorts): EventDelivery {
  const fresh = new Set<Promise<void>>()
  const repeated = new Set<Promise<void>>()

  const track = (claimed: ClaimedEvent, delivering: Promise<void>): void => {
    const running = claimed.attempt === 1 ? fresh : repeated
    const tracked: Promise<void> = delivering
      // failure-modes: delivery not recorded. The claim runs out, and the event is sent again under the same id.
      .catch((error: unknown) =>
        ports.log.error({ err: error, event: claimed.event.id }, 'a delivery was not recorded'),
      )
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }

  return {
    startDue: async (signal) => {
      const database = ports.findDatabase()
      const free = { fresh: MAX_FRESH - fresh.size, repeated: MAX_REPEATED - repeated.size }
      if (database === undefined || signal.aborted || free.fresh + free.repeated <= 0) return
      const claimed = await createOutboxStore(database.kysely).claim(free)
      if (claimed.length === 0) return
      const target = await findTarget(database, ports.fallback)
      for (const one of claimed) track(one, deliver(one, target, database, ports))
    },
    forgetOld: async () => {
      const database = ports.findDatabase()
      if (database === undefined) return
      await createOutboxStore(database.kysely).forgetOld()
      await createDeliveryStore(database.kysely).forgetOld()
    },
    settled: async (waitMs) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, waitMs)
      await Promise.race([Promise.all([...fresh, ...repeated]), promise])
      clearTimeout(timer)
    },
  }
}

/** Read for every batch rather than remembered: a destination that was taken away a moment ago gets nothing more. */
async function findTarget(database: Database, fallback: Destination | null): Promise<Target | undefined> {
  const active = await createNotificationConfigStore(database.kysely).find('active')
  if (active !== undefined) return { destination: active, categories: active.categories }
  return fallback === null ? undefined : { destination: { ...fallback, secret: null }, categories: defaultCategories }
}

async function deliver(
  claimed: ClaimedEvent,
  target: Target | undefined,
  database: Database,
  ports: DeliveryPorts,
): Promise<void> {
  const outbox = createOutboxStore(database.kysely)
  const { event, attempt } = claimed
  if (target === undefined || !wants(target, claimed.category)) return await outbox.settle(event.id, 'dropped')
  const startedMs = ports.clock.monotonicMs()
  const result = await ports.send(target.destination, event)
  const durationMs = ports.clock.monotonicMs() - startedMs
  ports.onAttempt(result.kind)
  // First what decides whether it is sent again, then what is only shown.
  await settle(claimed, result, outbox, ports)
  await createDeliveryStore(database.kysely).append({
    eventId: event.id,
    eventType: event.type,
    destinationType: target.destination.type,
    destination: target.destination.address,
    status: result.kind,
    attempt,
    responseStatus: result.responseStatus,
    error: result.kind === 'failed' ? result.error : null,
    durationMs,
  })
}

/** Asked at each attempt, with the flags of that moment: what is switched off meanwhile is dropped, not kept for later. */
function wants(target: Target, category: EventCategory): boolean {
  return target.categories[category]
}

async function settle(
  { event, attempt, ageMs }: ClaimedEvent,
  result: SendResult,
  outbox: OutboxStore,
  { log, random }: DeliveryPorts,
): Promise<void> {
  if (result.kind === 'delivered') {
    await outbox.settle(event.id, 'delivered')
    await outbox.hasten()
    return
  }
  const nextInMs = decideNextAttempt(attempt, ageMs, random())
  await outbox.postpone(event.id, { nextInMs, wasOutage: result.isOutage })
  const fields = { event: event.id, type: event.type, attempt, status: result.responseStatus, reason: result.error }
  if (nextInMs === null) log.error(fields, 'a notification was given up after a day')
  else log.warn({ ...fields, next_in_ms: Math.round(nextInMs) }, 'a notification was not delivered yet')
}
