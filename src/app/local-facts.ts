/** What can be found out on this machine about the gateway that would run here, without starting it. */

import { type CallerIdentity, readCallerIdentity } from '../bedrock/caller-identity.ts'
import { createCredentialSource } from '../bedrock/credentials.ts'
import { openDatabase } from '../foundation/database/database.ts'
import { buildDatabaseOptions } from '../foundation/database/database-link.ts'
import { planMigrations } from '../foundation/database/migrate.ts'
import { readServerTimeMs } from '../foundation/database/server-time.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { createLogging } from '../foundation/platform/logger.ts'
import { builtInSnapshot } from '../foundation/snapshot/built-in-snapshot.memory.ts'
import { createEndpointStore } from '../modules/endpoints/endpoints.store.ts'
import { type CheckedEndpoint, checkEndpointOnce } from '../modules/endpoints/module.ts'
import { builtInModels } from '../modules/models/module.ts'
import { priceListBase, priceListUrl } from '../modules/models/price-list.ts'
import type { Config } from './config/config.ts'
import { createHostedService } from './hosted-service.ts'

export interface DatabaseFacts {
  readonly serverVersion: string
  readonly pendingMigrations: readonly string[]
  /** How far the database's clock is ahead of ours. */
  readonly clockAheadMs: number
  /** Empty while the schema is not there yet. */
  readonly endpoints: readonly Endpoint[]
}

/** Undefined when the configuration names none; throws what the driver says when it cannot be used. */
export async function findDatabaseFacts(config: Config): Promise<DatabaseFacts | undefined> {
  const { log } = createLogging({ level: 'error', format: 'text', write: () => undefined })
  const options = buildDatabaseOptions(config.database, config.region, log)
  if (options === undefined) return undefined
  const database = await openDatabase({ ...options, connectTimeoutMs: 5_000, maxConnections: 2 })
  try {
    const pendingMigrations = await planMigrations(database)
    const askedMs = Date.now()
    const serverMs = await readServerTimeMs(database)
    const middleMs = (askedMs + Date.now()) / 2
    const endpoints = pendingMigrations.length === 0 ? await createEndpointStore(database.kysely).list() : []
    return {
      serverVersion: database.serverVersion,
      pendingMigrations,
      clockAheadMs: serverMs - middleMs,
      endpoints,
    }
  } finally {
    await database.close()
  }
}

/** The list that a gateway here would read; undefined when it reads none. */
export function findPriceList(config: Config): string | undefined {
  if (!config.pricingRefreshEnabled) return undefined
  return priceListUrl(priceListBase(config), config.region)
}

/** What a gateway here would know before it reads a database. */
function ownSnapshot(config: Config): Snapshot {
  const createdAt = new Date().toISOString()
  return builtInSnapshot({ ...builtInModels(createdAt), idps: [], users: [], region: config.region, createdAt })
}

function ownEndpoint(config: Config): Endpoint {
  const [endpoint] = ownSnapshot(config).endpoints.values()
  if (endpoint === undefined) throw new Error('there is no built-in endpoint')
  return endpoint
}

/** Whose credentials the gateway would use. */
export async function findIdentity(config: Config, stsUrl: string | undefined): Promise<CallerIdentity> {
  const credentials = await createCredentialSource({ clock: systemClock }).require(ownEndpoint(config))
  const url = stsUrl ?? config.awsEndpointUrl ?? undefined
  return readCallerIdentity({ region: config.region, url, credentials, nowMs: Date.now() })
}

/** Makes two requests of one token on each endpoint. */
export async function checkEndpointsHere(
  config: Config,
  stored: readonly Endpoint[],
): Promise<readonly CheckedEndpoint[]> {
  const { log } = createLogging({ level: 'error', format: 'text', write: () => undefined })
  const { service, host } = createHostedService(config, log)
  const parts = { service, host, snapshot: ownSnapshot(config) }
  const enabled = stored.filter((endpoint) => endpoint.enabled)
  try {
    return await Promise.all(
      (enabled.length === 0 ? [ownEndpoint(config)] : enabled).map((endpoint) => checkEndpointOnce(endpoint, parts)),
    )
  } finally {
    service.close()
  }
}
