/** Notifications: joins those who notice something with the outbox, and the outbox with the destination. */
import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import { type Caller, payingTeamId } from '../../foundation/domain/caller.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import { findDestination } from '../../foundation/domain/notification-destination.ts'
import { eventSubject } from '../../foundation/domain/notification-notice.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import { createEventDelivery } from './deliver-events.loop.ts'
import type { NotificationPorts } from './notification-ports.ts'
import { notificationRoutes } from './notifications.routes.ts'
import { createNotifier, type Notifier } from './notifier.service.ts'
import { createOutboxStore, enqueueEvent, type OutboxDepth } from './outbox.store.ts'
import { createSender } from './send-event.ts'

export interface Notifications extends Module {
  /** For budgets. */
  readonly notify: Notifier['notify']
  readonly onRateLimited: (caller: Caller) => void
  /** How to send now, and where to while no destination is active. */
  readonly sending: NotificationPorts['notifications']
}

/** What is not recorded when the process ends is sent again by another, so there is no need to wait for the slow. */
const STOP_WAIT_MS = 2_000

export function createNotifications(core: Core, fallbackUrl: string | null): Notifications {
  const { link, snapshot, log, clock } = core
  const fallback = fallbackUrl === null ? null : findDestination(fallbackUrl)
  const attempts = { delivered: 0, failed: 0 }
  let depth: OutboxDepth | undefined
  showDelivery(core.instruments, attempts, () => depth)
  const sender = createSender({
    http: core.outgoing,
    openSecret: (sealed, context) => core.secretBox().open(sealed, context),
  })
  const notifier = createOutboxNotifier(core)
  const delivery = createEventDelivery({
    findDatabase: link.find,
    fallback,
    send: sender.send,
    clock,
    log,
    random: Math.random,
    onAttempt: (status) => {
      attempts[status] += 1
    },
  })
  const deliver = async (signal: AbortSignal): Promise<void> => {
    // What is stored already does not wait for what cannot be stored yet.
    const results = await Promise.allSettled([notifier.flush(), delivery.startDue(signal)])
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
  const lookAtOutbox = async (): Promise<void> => {
    const database = link.find()
    if (database !== undefined) depth = await createOutboxStore(database.kysely).depth()
  }
  const sending = { fallback, send: sender.send }
  return {
    notify: notifier.notify,
    onRateLimited: (caller) => {
      if (caller.kind !== 'key' || caller.key.rateLimitRpm === null) return
      const { id, prefix, rateLimitRpm } = caller.key
      const subject = eventSubject(caller.user, payingTeamId(caller), snapshot().teams)
      notifier.rateLimitHit({ id, prefix, limitRpm: rateLimitRpm, subject })
    },
    sending,
    routes: listNotificationRoutes({ ...core, notifications: sending }),
    loops: [
      { name: 'event-delivery', intervalMs: 1_000, jitter: 0.2, run: deliver },
      { name: 'outbox-look', intervalMs: 15_000, jitter: 0.2, run: lookAtOutbox },
      { name: 'old-events', intervalMs: 600_000, jitter: 0.5, run: delivery.forgetOld },
    ],
    stop: async () => {
      await notifier.flush().catch((error: unknown) => log.error({ err: error }, 'notifications were lost at the end'))
      await delivery.settled(STOP_WAIT_MS)
      sender.close()
    },
  }
}

export function listNotificationRoutes(ports: NotificationPorts): readonly Route[] {
  return notificationRoutes(ports)
}

function createOutboxNotifier({ link, snapshot, clock, log }: Core): Notifier {
  return createNotifier({
    clock,
    // Without a database there are neither budgets nor keys, so nothing is lost.
    enqueue: async (event, dedupe) => {
      if (!link.isConfigured) return false
      const database = link.require()
      try {
        return await enqueueEvent(database.kysely, event, dedupe)
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) throw error
        // failure-modes: notification refused by the database. It would be refused again, and hold up all others.
        log.error({ err: error, event: event.id, type: event.type }, 'a notification could not be kept')
        return false
      }
    },
    findSubject: (scope, id) => {
      const { users, teams } = snapshot()
      if (scope === 'team') return eventSubject(null, id, teams)
      const user = users.get(id) ?? null
      return eventSubject(user, user?.teamId ?? null, teams)
    },
    onLost: (event) => log.error({ event: event.id, type: event.type }, 'a notification was lost: too many wait'),
  })
}

function showDelivery(
  instruments: Instruments<InstrumentName>,
  attempts: Readonly<Record<'delivered' | 'failed', number>>,
  depth: () => OutboxDepth | undefined,
): void {
  instruments.observe('gateway_notification_attempts', (show) => {
    show(attempts.delivered, { status: 'delivered' })
    show(attempts.failed, { status: 'failed' })
  })
  instruments.observe('gateway_outbox_waiting', (show) => show(depth()?.waiting ?? 0))
  instruments.observe('gateway_outbox_oldest_seconds', (show) => show(depth()?.oldestSeconds ?? 0))
}
