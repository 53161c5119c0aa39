/** Sends the digest of the last week once, on Monday morning or when an instance comes back soon after. */

import type { Database } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { createNotificationConfigStore } from '../../modules/notifications/notification-configs.store.ts'
import { enqueueEvent, isTold } from '../../modules/notifications/outbox.store.ts'
import {
  type DigestDetail,
  isDigestDue,
  lastWholeWeek,
  weeklyDigestDedupe,
  weeklyDigestEvent,
} from './weekly-digest.ts'

export interface DigestLoopPorts {
  /** Undefined while there is none. */
  readonly findDatabase: () => Database | undefined
  readonly timeZone: () => string
  readonly compose: (nowMs: number) => Promise<DigestDetail>
  readonly nowMs: () => number
}

export async function sendWeeklyDigest({ findDatabase, timeZone, compose, nowMs }: DigestLoopPorts): Promise<void> {
  const database = findDatabase()
  const [now, tz] = [nowMs(), timeZone()]
  if (database === undefined || !isDigestDue(now, tz)) return
  const active = await createNotificationConfigStore(database.kysely).find('active')
  if (active?.categories.digest !== true) return
  const dedupe = weeklyDigestDedupe(lastWholeWeek(now, tz))
  // The database decides in the end; this spares it the sums of a week that was told.
  if (await isTold(database.kysely, dedupe)) return
  const stamp = { id: newId(), timestamp: new Date(now).toISOString() }
  await enqueueEvent(database.kysely, weeklyDigestEvent(await compose(now), stamp), dedupe)
}
