/** The way to the database: none, not yet, or open. Connecting goes on in the background until it succeeds. */
import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '../domain/errors.ts'
import { defined } from '../platform/defined.ts'
import type { Logger } from '../platform/logger.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import type { DatabaseConfig } from './database-config.ts'
import { explainRefusal } from './explain-refusal.ts'
import { DatabaseUnavailableError, isNotOpenYet, READ_ONLY } from './store-errors.ts'

export interface DatabaseLink {
  readonly isConfigured: boolean
  readonly find: () => Database | undefined
  /** Throws the public error when there is none. */
  readonly require: () => Database
  /**
   * Does a step of the start. Tries again while the database is away; throws when only a person can help. Undefined when
   * the start was given up.
   */
  readonly insist: <R>(signal: AbortSignal, step: () => Promise<R>) => Promise<R | undefined>
  readonly close: () => Promise<void>
}

export interface OpeningLink extends DatabaseLink {
  /**
   * Opens the database and prepares it, as `insist` does it. `prepare` migrates and seeds; it runs again as a whole when the
   * database went away meanwhile.
   */
  readonly bringUp: <R>(signal: AbortSignal, prepare: (database: Database) => Promise<R>) => Promise<R | undefined>
}

const RETRY_MS = 2_000

/** Refused user or password, no such database: at the start these are mistakes in the configuration, later they may pass. */
const wrongSettings = new Set(['28000', '28P01', '3D000'])

export function createDatabaseLink(options: DatabaseOptions | undefined, log: Logger): OpeningLink {
  let database: Database | undefined

  const tryOnce = async <R>(prepare: (database: Database) => Promise<R>): Promise<R> => {
    database ??= await openDatabase(options as DatabaseOptions)
    const opened = database
    return await prepare(database).catch(async (error: unknown) => {
      throw await explainRefusal(opened, error)
    })
  }

  const insist = async <R>(signal: AbortSignal, step: () => Promise<R>): Promise<R | undefined> => {
    while (!signal.aborted) {
      try {
        return await step()
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || wrongSettings.has(error.code)) throw error
        // failure-modes: database away at start
        log.warn({ reason: error.message }, `${describeWait(error)}; trying again`)
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
    return undefined
  }

  return {
    isConfigured: options !== undefined,
    find: () => database,
    require: () => {
      if (options === undefined) throw problem('database_required')
      if (database === undefined) throw problem('database_unavailable')
      return database
    },
    bringUp: (signal, prepare) => insist(signal, () => tryOnce(prepare)),
    insist,
    close: async () => {
      await database?.close()
    },
  }
}

function describeWait(error: DatabaseUnavailableError): string {
  if (isNotOpenYet(error)) return 'the database accepts no connections yet: it is starting up or being restored'
  return error.code === READ_ONLY ? 'the database is read-only' : 'the database cannot be reached'
}

export function buildDatabaseOptions(
  database: DatabaseConfig,
  region: string,
  log: Pick<Logger, 'warn' | 'debug'>,
): DatabaseOptions | undefined {
  const pool = {
    onError: (error: Error) => log.warn({ err: error }, 'an idle database connection was lost'),
    onLog: (line: string) => log.debug({ line }, 'embedded postgres'),
  }
  switch (database.kind) {
    case 'none':
      return undefined
    case 'url':
      return { kind: 'url', url: database.url.reveal(), ...pool }
    case 'embedded':
      return { kind: 'embedded', directory: database.directory, ...pool }
    case 'parts': {
      const { password, ...parts } = database
      return { ...parts, ...defined({ password: password?.reveal() }), region, ...pool }
    }
  }
}
