/** Tells of keys a week and a day before they end, each once over all instances, while the destination wants to know. */

import type { Database } from '../../foundation/database/database.ts'
import type { EventSubject } from '../../foundation/domain/notification.ts'
import {
  type ExpiryStage,
  expiryStages,
  keyExpiringDedupe,
  keyExpiringEvent,
  keysExpiringDedupe,
  keysExpiringEvent,
  type Stamp,
} from '../../foundation/domain/notification-notice.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { createNotificationConfigStore } from '../notifications/notification-configs.store.ts'
import { enqueueEvent } from '../notifications/outbox.store.ts'
import { type ClaimedKeys, createExpiryNotices, type EndingKey } from './expiry-notices.store.ts'

export interface ExpiryPorts {
  /** Undefined while there is none. */
  readonly findDatabase: () => Database | undefined
  readonly findSubject: (key: Pick<EndingKey, 'userId' | 'teamId'>) => EventSubject
  /** Undefined while nobody has said under which address the portal is reached. */
  readonly findPortalUrl: () => string | undefined
  readonly nowMs: () => number
}

/** More at one look are told together: hundreds of notices within a minute are read by nobody. */
export const MOST_SINGLE_NOTICES = 50
const KEYS_AT_A_TIME = 10_000

export async function tellExpiringKeys(ports: ExpiryPorts): Promise<void> {
  const database = ports.findDatabase()
  if (database === undefined) return
  await createExpiryNotices(database.kysely).forgetEnded()
  const active = await createNotificationConfigStore(database.kysely).find('active')
  // Nothing is noted as told meanwhile, so that whoever switches it on hears of every key that ends within the week.
  if (active?.categories.keys !== true) return
  for (const stage of expiryStages) await tellStage(database, stage, ports)
}

/** What is told is noted in the same transaction: both happen, or neither and the next look tells it. */
async function tellStage(database: Database, stage: ExpiryStage, ports: ExpiryPorts): Promise<void> {
  await database.kysely.transaction().execute(async (tx) => {
    const claimed = await claimAll(createExpiryNotices(tx), stage)
    const stamp = (): Stamp => ({ id: newId(), timestamp: new Date(ports.nowMs()).toISOString() })
    const linkTo = (path: string): string => `${ports.findPortalUrl() ?? ''}/portal#${path}`
    const [soonest] = claimed.first
    if (soonest === undefined) return
    if (claimed.count > MOST_SINGLE_NOTICES) {
      const notice = {
        count: claimed.count,
        firstExpiresAtMs: soonest.expiresAtMs,
        lastExpiresAtMs: claimed.lastExpiresAtMs,
        link: linkTo('/keys?show=all&sort=expires_at'),
      }
      const stamped = stamp()
      await enqueueEvent(tx, keysExpiringEvent(notice, stamped), keysExpiringDedupe(stamped))
      return
    }
    for (const key of claimed.first) {
      const { id: keyId, prefix: keyPrefix, name: keyName, expiresAtMs, lastUsedAtMs } = key
      const notice = { keyId, keyPrefix, keyName, expiresAtMs, lastUsedAtMs, link: linkTo(`/keys/${keyId}`) }
      await enqueueEvent(
        tx,
        keyExpiringEvent(notice, ports.findSubject(key), stamp()),
        keyExpiringDedupe(notice, stage),
      )
    }
  })
}

async function claimAll(
  notices: ReturnType<typeof createExpiryNotices>,
  stage: ExpiryStage,
  before?: ClaimedKeys,
): Promise<ClaimedKeys> {
  const page = await notices.claim(stage, KEYS_AT_A_TIME, MOST_SINGLE_NOTICES)
  if (page.count === 0) return before ?? page
  const sum =
    before === undefined
      ? page
      : { count: before.count + page.count, first: before.first, lastExpiresAtMs: page.lastExpiresAtMs }
  return page.count < KEYS_AT_A_TIME ? sum : claimAll(notices, stage, sum)
}
