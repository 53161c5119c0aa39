/** Opens the one Postgres pool of this process and keeps it usable through restarts and failovers of the server. */
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { defined } from '../platform/defined.ts'
import {
  type Connection,
  connectionFrom,
  describeTransport,
  type PartsOptions,
  type Transport,
  type UrlOptions,
} from './connection-options.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { guardedPool } from './guarded-pool.ts'
import { createScarcePool, type ScarcePool } from './scarce-connections.ts'
import type { Schema } from './schema.ts'
import { DatabaseSetupError, NO_PRIVILEGE, readCode, toStoreError } from './store-errors.ts'

export interface EmbeddedOptions {
  readonly kind: 'embedded'
  readonly directory: string
}

export interface PoolOptions {
  readonly maxConnections?: number
  readonly connectTimeoutMs?: number
  readonly statementTimeoutMs?: number
  readonly applicationName?: string
  /** Lost idle connections: worth a log line, never an end of the process. */
  readonly onError?: (error: Error) => void
  /** Lines of the embedded server's own log. */
  readonly onLog?: (line: string) => void
}

export type DatabaseOptions = (UrlOptions | PartsOptions | EmbeddedOptions) & PoolOptions

export interface Database {
  readonly kysely: Kysely<Schema>
  /** The same pool with a limit of one second for each answer, for reads that something waits for. */
  readonly hot: Kysely<Schema>
  /** The same with three seconds, for what has no other answer than a slow one and must not hang on a dead connection. */
  readonly patient: Kysely<Schema>
  readonly pool: pg.Pool
  /** Such as `18.4`. */
  readonly serverVersion: string
  readonly transport: Transport
  readonly ping: () => Promise<void>
  /** One connection without time limits, for migrations and other long work; close it after use. */
  readonly openDedicated: () => Dedicated
  readonly close: () => Promise<void>
}

export interface Dedicated {
  readonly kysely: Kysely<Schema>
  readonly close: () => Promise<void>
}

const OLDEST_SERVER = 140_000
const HOT_ANSWER_MS = 1_000
/** With a retry after a second, changes are still seen within five of a hang that left dead connections behind. */
const PATIENT_ANSWER_MS = 3_000
/** The server's own limit comes first, since it leaves the connection usable; this much later we give up on it. */
const ANSWER_GRACE_MS = 1_000
const CLOSE_WAIT_MS = 1_500

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.kind !== 'embedded') return openServer(options, await connectionFrom(options))
  const server = await startEmbeddedPostgres({
    directory: options.directory,
    ...defined({ onLog: options.onLog }),
  })
  try {
    const database = await openServer(options, await connectionFrom({ kind: 'url', url: server.url }))
    return { ...database, close: () => database.close().finally(server.stop) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function openServer(options: PoolOptions, connection: Connection): Promise<Database> {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000
  const settings: pg.PoolConfig = {
    application_name: options.applicationName ?? 'causeway',
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  }
  const { config, limits, serverVersion } = await probe(connection, settings, serverLimits(statementTimeoutMs))
  const onError = options.onError ?? (() => undefined)
  const connections = openPool({ ...settings, ...config, ...limits }, onError)
  const { pool } = connections
  const kysely = kyselyOver(connections, statementTimeoutMs + ANSWER_GRACE_MS)
  const hot = kyselyOver(connections, HOT_ANSWER_MS)
  const patient = kyselyOver(connections, PATIENT_ANSWER_MS)
  return {
    kysely,
    hot,
    patient,
    pool,
    serverVersion,
    transport: describeTransport(config.ssl),
    ping: async () => {
      await hot.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
    },
    openDedicated: () => {
      const own = kyselyOver(openPool({ ...settings, ...config, max: 1 }, onError), 0)
      return { kysely: own, close: () => own.destroy() }
    },
    close: () => closeWithin(CLOSE_WAIT_MS, pool),
  }
}

function serverLimits(statementTimeoutMs: number): pg.ClientConfig {
  // A process that stops in the middle of a transaction must not hold its locks for ever.
  return { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000 }
}

interface Probed {
  readonly config: pg.ClientConfig
  readonly limits: pg.ClientConfig
  readonly serverVersion: string
}

/** The first connection decides whether TLS is to be had (sslmode `prefer`) and whether the server is new enough. */
async function probe(connection: Connection, settings: pg.PoolConfig, limits: pg.ClientConfig): Promise<Probed> {
  const { config } = connection
  try {
    return { config, limits, serverVersion: await readServerVersion({ ...settings, ...config, ...limits }) }
  } catch (error) {
    const text = error instanceof Error ? error.message : ''
    // PgBouncer takes no limits at connect unless it is told to ignore them; our own time limit remains.
    if (/unsupported startup parameter/i.test(text) && Object.keys(limits).length > 0)
      return probe(connection, settings, {})
    if (!/does not support SSL/i.test(text)) throw toStoreError(error)
    if (!connection.mayFallBackToPlain)
      throw new DatabaseSetupError('The Postgres server offers no TLS, and the configuration requires it.', error)
    return probe({ config: { ...config, ssl: false }, mayFallBackToPlain: false }, settings, limits)
  }
}

async function readServerVersion(config: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect().catch((error: unknown) => {
      if (readCode(error) !== NO_PRIVILEGE) throw error
      throw new DatabaseSetupError(
        `The database role "${client.user}" lacks CONNECT on database "${client.database}". Grant it as an administrator of the database: GRANT CONNECT ON DATABASE "${client.database}" TO "${client.user}";`,
        error,
      )
    })
    const answer = await client.query<{ number: string; text: string }>(
      `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
    )
    const row = answer.rows[0]
    const text = row?.text.split(' ')[0] ?? ''
    if (Number(row?.number) < OLDEST_SERVER)
      throw new DatabaseSetupError(`Postgres ${text} is too old: version 14 or newer is needed.`)
    return text
  } finally {
    await client.end().catch(() => undefined)
  }
}

function openPool(config: pg.PoolConfig, onError: (error: Error) => void): ScarcePool {
  const connections = createScarcePool(config)
  const { pool } = connections
  pool.on('error', onError)
  // The pool listens to idle clients only. One that is lost between two statements of a transaction
  // would end the process with an unhandled 'error' event; its next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return connections
}

function kyselyOver(connections: ScarcePool, answerTimeoutMs: number): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: guardedPool(connections, answerTimeoutMs) }) })
}

async function closeWithin(timeoutMs: number, pool: pg.Pool): Promise<void> {
  if (pool.ending) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, timeoutMs)
  await Promise.race([pool.end(), promise])
  clearTimeout(timer)
}

const INT8 = 20
const NUMERIC = 1700

/** Money and counts fit a safe integer and prices fit a double; strings would have to be converted at every use. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid as never, format as never)
}
