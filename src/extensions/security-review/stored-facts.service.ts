/** What only the database can tell about the security of the gateway. */

import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import { Problem } from '../../foundation/domain/errors.ts'
import type { Destination } from '../../foundation/domain/notification-destination.ts'
import { createKeyStore } from '../../modules/keys/keys.store.ts'
import { createNotificationConfigStore } from '../../modules/notifications/notification-configs.store.ts'
import { createSignInStore } from '../../modules/sign-in/sign-ins.store.ts'
import { createSearchProviderStore, type SearchAddress } from '../../modules/web-search/search-providers.store.ts'
import { IDLE_DAYS, UNUSED_DAYS } from './idle-days.ts'
import type { SecurityPorts } from './security-ports.ts'

const DAY_MS = 86_400_000

export interface StoredFacts {
  readonly unusedKeys: number
  readonly idleSessions: number
  /** Ids of enabled providers that can provision people; null where nothing offers provisioning. */
  readonly provisioningIdps: readonly string[] | null
  /** Null while none is active. */
  readonly destination: Destination | null
  readonly searchOfEverybody: readonly SearchAddress[]
  readonly searchOfPeople: readonly SearchAddress[]
}

/** Undefined while it cannot be asked: the rest of the page is then all the more worth reading. */
export async function findStoredFacts(ports: SecurityPorts): Promise<StoredFacts | undefined> {
  try {
    return await readStoredFacts(ports)
  } catch (error) {
    // failure-modes: security without the database. What it would have told is shown as not known.
    if (error instanceof Problem || error instanceof DatabaseUnavailableError) return undefined
    throw error
  }
}

async function readStoredFacts(ports: SecurityPorts): Promise<StoredFacts> {
  const { database, snapshot, clock } = ports
  const { hot } = database()
  const nowMs = clock.nowMs()
  const search = createSearchProviderStore(hot)
  const open = { nowMs, ttlHours: snapshot().settings.session_token_ttl_hours }
  return {
    unusedKeys: await createKeyStore(hot).countUnusedSince(nowMs - UNUSED_DAYS * DAY_MS),
    idleSessions: await createSignInStore(hot).countIdleSince(nowMs - IDLE_DAYS * DAY_MS, open),
    provisioningIdps: (await ports.findProvisioningIdps?.(hot, nowMs)) ?? null,
    destination: (await createNotificationConfigStore(hot).find('active')) ?? null,
    searchOfEverybody: await search.addresses('everybody'),
    searchOfPeople: await search.addresses('people'),
  }
}
