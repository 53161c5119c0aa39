/** What can be found out on this machine about the gateway that would run here, without starting it. */

import { type CallerIdentity, readCallerIdentity } from '../bedrock/caller-identity.ts'
import { createCredentialSource } from '../bedrock/credentials.ts'
import { createModelHost } from '../bedrock/model-host.ts'
import { getInferenceProfile, listInferenceProfiles } from '../bedrock/profiles.ts'
import { listServiceQuotas } from '../bedrock/quotas.ts'
import { createServiceCaller } from '../bedrock/service-caller.ts'
import { openDatabase } from '../foundation/database/database.ts'
import { databaseOptionsOf } from '../foundation/database/database-link.ts'
import { planMigrations } from '../foundation/database/migrate.ts'
import { readServerTimeMs } from '../foundation/database/server-time.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { EndpointWarning } from '../foundation/domain/endpoint-warning.ts'
import { seedMappings, seedPrices } from '../foundation/domain/model-seed.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { createLogging } from '../foundation/platform/logger.ts'
import { builtInSnapshot } from '../foundation/snapshot/built-in-snapshot.memory.ts'
import { neverChecked } from '../modules/endpoints/endpoint-conditions.memory.ts'
import { listEndpointWarnings } from '../modules/endpoints/endpoint-warnings.service.ts'
import { createEndpointStore } from '../modules/endpoints/endpoints.store.ts'
import { checkEndpoint } from '../modules/endpoints/health-check.loop.ts'
import modelSeed from '../modules/endpoints/model-seed.json' with { type: 'json' }
import { checkPermissions, type EndpointCheck } from '../modules/endpoints/permission-check.loop.ts'
import { callSynthetically } from '../modules/endpoints/synthetic-call.ts'
import { priceListUrl } from '../modules/models/price-list.ts'
import { priceListBase } from '../modules/models/pricing.service.ts'
import type { Config } from './config/config.ts'

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
  const options = databaseOptionsOf(config.database, config.region, log)
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

function ownEndpoint(config: Config): Endpoint {
  const startedAt = new Date().toISOString()
  const seed = { mappings: seedMappings(modelSeed, startedAt), prices: seedPrices(modelSeed, startedAt) }
  const snapshot = builtInSnapshot({ ...seed, idps: [], users: [], region: config.region, createdAt: startedAt })
  const [endpoint] = snapshot.endpoints.values()
  if (endpoint === undefined) throw new Error('there is no built-in endpoint')
  return endpoint
}

/** Whose credentials the gateway would use. */
export async function findIdentity(config: Config, stsUrl: string | undefined): Promise<CallerIdentity> {
  const credentials = await createCredentialSource({ clock: systemClock }).require(ownEndpoint(config))
  const url = stsUrl ?? config.awsEndpointUrl ?? undefined
  return readCallerIdentity({ region: config.region, url, credentials, nowMs: Date.now() })
}

export interface CheckedEndpoint {
  readonly name: string
  readonly hasOwnProfiles: boolean
  readonly check: EndpointCheck
  readonly warnings: readonly EndpointWarning[]
}

/** Makes two calls of one token on each endpoint. No gateway runs, so nothing records them. */
export async function checkEndpointsHere(
  config: Config,
  stored: readonly Endpoint[],
): Promise<readonly CheckedEndpoint[]> {
  const service = createServiceCaller({
    clock: systemClock,
    bearerToken: config.awsBearerTokenBedrock?.reveal(),
    urls: {
      bedrockRuntime: config.awsEndpointUrlBedrockRuntime ?? undefined,
      bedrock: config.awsEndpointUrlBedrock ?? undefined,
      serviceQuotas: config.awsEndpointUrlServiceQuotas ?? undefined,
      everyService: config.awsEndpointUrl ?? undefined,
    },
  })
  const host = createModelHost(service)
  const startedAt = new Date().toISOString()
  const seed = { mappings: seedMappings(modelSeed, startedAt), prices: seedPrices(modelSeed, startedAt) }
  const snapshot = builtInSnapshot({ ...seed, idps: [], users: [], region: config.region, createdAt: startedAt })
  const getProfile = (endpoint: Endpoint, id: string) => getInferenceProfile(service, endpoint, id)
  const enabled = stored.filter((endpoint) => endpoint.enabled)
  try {
    return await Promise.all(
      (enabled.length === 0 ? [ownEndpoint(config)] : enabled).map(async (endpoint) => {
        const check = await checkPermissions(endpoint, {
          check: (checked) =>
            checkEndpoint(checked, {
              listProfiles: (one) => listInferenceProfiles(service, one),
              getProfile,
              readHealth: () => neverChecked,
              nowMs: Date.now,
            }),
          getProfile,
          call: (call) =>
            callSynthetically(call, {
              host,
              clock: systemClock,
              snapshot: () => snapshot,
              record: async () => undefined,
            }),
          readQuotas: (one) => listServiceQuotas(service, one),
          prices: () => snapshot.prices,
        })
        return {
          name: endpoint.name,
          hasOwnProfiles: endpoint.aipOverrides.length > 0 || endpoint.inferenceProfileArn !== null,
          check,
          warnings: listEndpointWarnings(endpoint, check.health, (id) => snapshot.mappings.get(id)),
        }
      }),
    )
  } finally {
    service.close()
  }
}
