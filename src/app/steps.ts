/** What happens once, in this order, before the gateway is ready. Every step may run on several instances at once. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../foundation/database/database.ts'
import { migrateToLatest } from '../foundation/database/migrate.ts'
import { createSecretStore } from '../foundation/database/secrets.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { Price } from '../foundation/domain/price.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import { createDefaultEndpoint } from '../modules/endpoints/default-endpoint.start.ts'
import { seedModels } from '../modules/models/seed-models.start.ts'
import { bootstrapAdmins } from '../modules/people/bootstrap-admins.start.ts'
import { bootstrapIdp } from '../modules/sign-in/bootstrap-idp.start.ts'
import { prepareSpendLog } from '../modules/spend/spend-partitions.start.ts'
import type { Config } from './config/config.ts'

export interface StartupParts {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
  readonly seed: { readonly mappings: readonly ModelMapping[]; readonly prices: readonly Price[] }
}

export interface StartupResult {
  /** Signs session tokens on every instance. */
  readonly sessionKey: Buffer
  /** Encrypts third-party secrets when SECRET_KEY is not set. */
  readonly secretKey: Buffer
  readonly firstEndpoint: Endpoint | undefined
}

const KEY_BYTES = 32

export async function runStartupSteps(parts: StartupParts): Promise<StartupResult> {
  const { database, config, log } = parts
  const migrated = await migrateToLatest(database)
  if (migrated.length > 0) log.info({ migrations: migrated }, 'the database schema was brought up to date')
  const secrets = createSecretStore(database.kysely)
  const sessionKey = await secrets.getOrCreate('session-signing-key', () => randomBytes(KEY_BYTES))
  const secretKey = await secrets.getOrCreate('secret-key', () => randomBytes(KEY_BYTES))
  await seedModels(parts)
  await bootstrapAdmins({ ...config, database, log })
  await bootstrapIdp({ database, environment: config, log })
  const firstEndpoint = await createDefaultEndpoint({ database, region: config.region, log })
  await prepareSpendLog(parts)
  return { sessionKey, secretKey, firstEndpoint }
}
