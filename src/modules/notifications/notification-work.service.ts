/** Joins those who notice something with the outbox, and the outbox with the destination. */

import { sendWeeklyDigest } from '../../extensions/weekly-digest/send-weekly-digest.loop.ts'
import type { DigestDetail } from '../../extensions/weekly-digest/weekly-digest.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import { type Caller, payingTeamId } from '../../foundation/domain/caller.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Destination } from '../../foundation/domain/notification-destination.ts'
import { eventSubject } from '../../foundation/domain/notification-notice.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { systemClock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import { tellExpiringKeys } from '../keys/tell-expiring-keys.loop.ts'
import { createEventDelivery } from './deliver-events.loop.ts'
import { createNotifier, type Notifier } from './notifier.service.ts'
import { createOutboxStore, enqueueEvent, type OutboxDepth } from './outbox.store.ts'
import type { Sender } from './send-event.ts'

export interface NotificationWorkParts {
  readonly link: DatabaseLink
  readonly snapshot: () => Snapshot
  readonly sender: Sender
  readonly fallback: Destination | null
  readonly findPortalUrl: () => string | undefined
  readonly composeDigest: (nowMs: number) => Promise<DigestDetail>
  readonly log: Logger
  readonly instruments: Instruments<InstrumentName>
}

export interface NotificationWork {
  /** For budgets. */
  readonly notify: Notifier['notify']
  readonly onRateLimited: (caller: Caller) => void
  readonly tellExpiringKeys: () => Promise<void>
  readonly sendWeeklyDigest: () => Promise<void>
  readonly deliver: (signal: AbortSignal) => Promise<void>
  readonly forgetOld: () => Promise<void>
  /** Counts what waits, for the metrics. */
  readonly lookAtOutbox: () => Promise<void>
  /** Before the database is closed. */
  readonly stop: () => Promise<void>
}

/** What is not recorded when the process ends is sent again by another, so there is no need to wait for the slow. */
const STOP_WAIT_MS = 2_000

export function createNotificationWork(parts: NotificationWorkParts): NotificationWork {
  const { link, snapshot, sender, fallback, log } = parts
  const attempts = { delivered: 0, failed: 0 }
  let depth: OutboxDepth | undefined
  showDelivery(parts.instruments, attempts, () => depth)
  const notifier = createNotifier({
    clock: systemClock,
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
  const delivery = createEventDelivery({
    findDatabase: link.find,
    fallback,
    send: sender.send,
    clock: systemClock,
    log,
    random: Math.random,
    onAttempt: (status) => {
      attempts[status] += 1
    },
  })
  return {
    notify: notifier.notify,
    onRateLimited: (caller) => {
      if (caller.kind !== 'key' || caller.key.rateLimitRpm === null) return
      const { id, prefix, rateLimitRpm } = caller.key
      const subject = eventSubject(caller.user, payingTeamId(caller), snapshot().teams)
      notifier.rateLimitHit({ id, prefix, limitRpm: rateLimitRpm, subject })
    },
    tellExpiringKeys: () =>
      tellExpiringKeys({
        findDatabase: link.find,
        subjectOf: ({ userId, teamId }) => {
          const { users, teams } = snapshot()
          const user = userId === null ? null : (users.get(userId) ?? null)
          return eventSubject(user, teamId ?? user?.teamId ?? null, teams)
        },
        findPortalUrl: parts.findPortalUrl,
        nowMs: systemClock.nowMs,
      }),
    sendWeeklyDigest: () =>
      sendWeeklyDigest({
        findDatabase: link.find,
        timeZone: () => snapshot().settings.digest_time_zone,
        compose: parts.composeDigest,
        nowMs: systemClock.nowMs,
      }),
    deliver: async (signal) => {
      // What is stored already does not wait for what cannot be stored yet.
      const results = await Promise.allSettled([notifier.flush(), delivery.startDue(signal)])
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
    forgetOld: delivery.forgetOld,
    lookAtOutbox: async () => {
      const database = link.find()
      if (database !== undefined) depth = await createOutboxStore(database.kysely).depth()
    },
    stop: async () => {
      await notifier.flush().catch((error: unknown) => log.error({ err: error }, 'notifications were lost at the end'))
      await delivery.settled(STOP_WAIT_MS)
      sender.close()
    },
  }
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
