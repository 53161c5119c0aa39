/** The start of a gateway: the database as it should be, its secrets, its modules, the first snapshot, then requests. */
import { randomBytes } from 'node:crypto'
import type { Database } from '../foundation/database/database.ts'
import { migrateToLatest } from '../foundation/database/migrate.ts'
import { createSecretStore } from '../foundation/database/secrets.ts'
import { type RunningLoops, startLoops } from '../foundation/platform/loops.ts'
import type { Gateway } from './assemble.ts'

/** The keys that all instances share. */
interface SharedKeys {
  /** Signs session tokens. */
  readonly sessionKey: Buffer
  /** Encrypts third-party secrets when SECRET_KEY is not set. */
  readonly secretKey: Buffer
}

const KEY_BYTES = 32

/** Resolves with things undone when the start was given up. */
export async function prepare(gateway: Gateway, signal: AbortSignal): Promise<void> {
  const { core, modules, all } = gateway
  const { link, holder, log } = core
  if (!link.isConfigured) {
    log.warn('no database is configured: keys, spend and settings are not kept')
    return
  }
  const keys = await link.bringUp(signal, (database) => prepareDatabase(gateway, database))
  if (keys === undefined || signal.aborted) return
  modules.signIn.useSharedSessionKey(keys.sessionKey)
  core.useSharedSecretKey(keys.secretKey)
  for (const { start } of all) if (start !== undefined) await link.insist(signal, () => start(signal))
  await link.insist(signal, holder.reload)
  if (signal.aborted) return
  // Before the first request: an instance that is not alone shares its rate limits.
  await modules.budgets.sync()
}

/** Every step may run on several instances at once. */
async function prepareDatabase({ core, all }: Gateway, database: Database): Promise<SharedKeys> {
  const migrated = await migrateToLatest(database)
  if (migrated.length > 0) core.log.info({ migrations: migrated }, 'the database schema was brought up to date')
  const secrets = createSecretStore(database.kysely)
  const sessionKey = await secrets.getOrCreate('session-signing-key', () => randomBytes(KEY_BYTES))
  const secretKey = await secrets.getOrCreate('secret-key', () => randomBytes(KEY_BYTES))
  for (const { seed } of all) await seed?.(database)
  return { sessionKey, secretKey }
}

/** From here on requests are served, unless the start was given up. */
export async function takeRequests(
  { core, modules, loops }: Gateway,
  signal: AbortSignal,
  onRunning: (running: RunningLoops) => void,
): Promise<void> {
  if (signal.aborted) return
  const running = startLoops(loops, core.log)
  core.running.loops = running.status
  onRunning(running)
  core.parts.onReady?.()
  // failure-modes: status without the database. The loop reports again.
  modules.operations.report().catch(() => undefined)
  await modules.endpoints.checkHealth(signal)
  core.log.info('ready')
}
