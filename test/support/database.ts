/** Real databases for tests: each call makes its own on one server, which is given by TEST_DATABASE_URL or started here. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, openDatabase, type PoolOptions } from '../../src/foundation/database/database.ts'
import { startEmbeddedPostgres } from '../../src/foundation/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../../src/foundation/database/migrate.ts'
import { hashText, readSchemaFiles } from '../../src/foundation/database/schema-files.ts'

export interface TestServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

export interface TestDatabase {
  readonly url: string
  /** Migrated and open. */
  readonly database: Database
  readonly drop: () => Promise<void>
}

/** Safe to lose: tests never restart this server and expect the rows to be there. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  deadlock_timeout: '100ms',
}

/** One server for many test files: the runner starts it and passes `url` on as TEST_DATABASE_URL. */
export async function startTestPostgres(parent = tmpdir()): Promise<TestServer> {
  const directory = await mkdtemp(join(parent, 'causeway-postgres-'))
  const removeAtExit = (): void => {
    killServerOf(directory)
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', removeAtExit)
  const server = await startEmbeddedPostgres({ directory, settings: fastSettings })
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      process.off('exit', removeAtExit)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const EXIT_WAIT_MS = 3_000

/** An exit handler cannot await: it asks for the quickest shutdown and blocks until the server has let go of its files. */
function killServerOf(directory: string): void {
  const pidFile = join(directory, 'cluster', 'postmaster.pid')
  if (!existsSync(pidFile)) return
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGQUIT')
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let waitedMs = 0; existsSync(pidFile) && waitedMs < EXIT_WAIT_MS; waitedMs += 5) Atomics.wait(pause, 0, 0, 5)
}

let ownServer: Promise<TestServer> | undefined

async function serverUrl(): Promise<string> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return given
  ownServer ??= startTestPostgres()
  return (await ownServer).url
}

/** A migrated database of its own, copied from a template. */
export async function createTestDatabase(options: PoolOptions = {}): Promise<TestDatabase> {
  const server = await serverUrl()
  const template = await ensureTemplate(server)
  const name = newName()
  await asAdmin(server, (admin) => admin.query(`create database ${name} template ${template}`))
  const url = withDatabase(server, name)
  const database = await openDatabase({ kind: 'url', url, ...options })
  const drop = async (): Promise<void> => {
    await database.close()
    await dropDatabase(server, name)
  }
  return { url, database, drop }
}

/** A database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<Omit<TestDatabase, 'database'>> {
  const server = await serverUrl()
  const name = newName()
  await asAdmin(server, (admin) => admin.query(`create database ${name}`))
  return { url: withDatabase(server, name), drop: () => dropDatabase(server, name) }
}

function newName(): string {
  return `test_${process.pid}_${randomBytes(6).toString('hex')}`
}

async function dropDatabase(server: string, name: string): Promise<void> {
  await asAdmin(server, (admin) => admin.query(`drop database if exists ${name} with (force)`))
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function asAdmin<R>(server: string, work: (admin: pg.Client) => Promise<R>): Promise<R> {
  const admin = new pg.Client({ connectionString: server })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

let template: Promise<string> | undefined

function ensureTemplate(server: string): Promise<string> {
  template ??= makeTemplate(server)
  return template
}

const TEMPLATE_LOCK = 4_406_112

/** Named after the content of the schema: a server that outlives a change of it must not hand out old tables. */
async function makeTemplate(server: string): Promise<string> {
  const { migrations, functions } = await readSchemaFiles()
  const hash = hashText([...migrations, ...functions].map(({ text }) => text).join('\n'))
  const name = `causeway_template_${hash.slice(0, 16)}`
  await asAdmin(server, async (admin) => {
    // Held until this connection ends: several test files may start at the same moment.
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const found = await admin.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount === 1) return
    const unfinished = `${name}_${randomBytes(4).toString('hex')}`
    await admin.query(`create database ${unfinished}`)
    const database = await openDatabase({ kind: 'url', url: withDatabase(server, unfinished) })
    await migrateToLatest(database)
    await database.close()
    await admin.query(`alter database ${unfinished} rename to ${name}`)
  })
  return name
}
