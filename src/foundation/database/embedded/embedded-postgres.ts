/** Starts and owns a private, real Postgres in a directory: for trials, tests and small teams. */
import { randomBytes } from 'node:crypto'
import { chown, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseSetupError } from '../store-errors.ts'
import { type Account, accountFor, makePassableDirectory, requirePassable } from './embedded-account.ts'
import { claimDirectory } from './embedded-owner.ts'
import {
  type Binaries,
  endLeftoverServer,
  findBinaries,
  findFreePort,
  hasEnded,
  type LogLine,
  runProgram,
  runToEnd,
  type ServerProcess,
  stopServer,
} from './embedded-server.ts'

export interface EmbeddedServerOptions {
  readonly directory: string
  readonly onLog?: LogLine
  /** Server settings on top of ours, such as `fsync: 'off'` for tests. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface EmbeddedServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const USER = 'causeway'
const DATABASE = 'causeway'
const START_ATTEMPTS = 5
/** Recovery after a crash replays the log before it answers. */
const START_TIMEOUT_MS = 120_000
const RESTART_PAUSE_MS = 1_000

interface Cluster {
  readonly binaries: Binaries
  readonly account: Account
  readonly path: string
  readonly password: string
  readonly settings: Readonly<Record<string, string>>
  readonly onLog: LogLine
}

export async function startEmbeddedPostgres(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const directory = resolve(options.directory)
  const onLog = options.onLog ?? (() => undefined)
  const binaries = await findBinaries()
  await makePassableDirectory(directory)
  const release = await claimDirectory(directory)
  try {
    const path = join(directory, 'cluster')
    const account = await accountFor(path)
    await requirePassable(directory, account)
    await requirePassable(binaries.postgres, account)
    const password = await readPassword(directory)
    const cluster: Cluster = { binaries, account, path, password, settings: options.settings ?? {}, onLog }
    await makeCluster(cluster, directory)
    await endLeftoverServer(path, onLog)
    return await superviseServer(cluster, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function readPassword(directory: string): Promise<string> {
  const path = join(directory, 'password')
  const known = await readFile(path, 'utf8').catch(() => '')
  if (known !== '') return known
  const password = randomBytes(24).toString('hex')
  await writeFile(path, password, { mode: 0o600, flush: true })
  return password
}

/** Made under another name and renamed when complete: a kill in the middle leaves nothing that looks like a cluster. */
async function makeCluster(cluster: Cluster, directory: string): Promise<void> {
  if ((await stat(cluster.path).catch(() => undefined)) !== undefined) return
  const unfinished = join(directory, 'cluster.unfinished')
  const passwordFile = join(directory, 'initial-password')
  await rm(unfinished, { recursive: true, force: true })
  await makePassableDirectory(unfinished)
  await writeFile(passwordFile, cluster.password, { mode: 0o600 })
  if (cluster.account !== undefined)
    for (const path of [unfinished, passwordFile]) await chown(path, cluster.account.uid, cluster.account.gid)
  try {
    await runToEnd(
      cluster.binaries.initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        // The same order and case rules on every machine, and lower() that knows more than ASCII.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(cluster.settings['fsync'] === 'off' ? ['--no-sync'] : []),
      ],
      cluster.account,
      cluster.onLog,
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(unfinished, cluster.path)
}

/** Keeps the server running on one port until `stop`: if it dies on its own, the pool finds it again there. */
async function superviseServer(cluster: Cluster, release: () => Promise<void>): Promise<EmbeddedServer> {
  let { server, port } = await startOnFreePort(cluster)
  let stopping = false
  let restarting: Promise<void> = Promise.resolve()
  const watch = (): void => {
    server.child.once('exit', () => {
      if (!stopping) restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    cluster.onLog('the embedded server ended unexpectedly and is started again')
    await delay(RESTART_PAUSE_MS)
    if (stopping) return
    try {
      server = await startOnPort(cluster, port)
    } catch (error) {
      cluster.onLog(String(error))
      return restart()
    }
    watch()
  }
  watch()
  return {
    url: buildUrl(cluster, port, DATABASE),
    stop: async () => {
      if (stopping) return
      stopping = true
      await restarting
      await stopServer(server.child)
      await release()
    },
  }
}

/** The port was taken between our look and the bind, or children of a killed server have not ended yet. */
const passingTrouble = /could not bind|address already in use|still in use/i

async function startOnFreePort(cluster: Cluster): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    try {
      return { server: await startOnPort(cluster, port), port }
    } catch (error) {
      if (attempt === START_ATTEMPTS || !passingTrouble.test(String(error))) throw error
      await delay(RESTART_PAUSE_MS)
    }
  }
}

async function startOnPort(cluster: Cluster, port: number): Promise<ServerProcess> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...cluster.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = runProgram(
    cluster.binaries.postgres,
    ['-D', cluster.path, '-p', String(port), ...flags],
    cluster.account,
    cluster.onLog,
  )
  try {
    await untilReady(cluster, port, server)
    // A program whose own work is done may end; its exit stops the server.
    server.letProcessEnd()
    return server
  } catch (error) {
    await stopServer(server.child)
    throw error
  }
}

async function untilReady(cluster: Cluster, port: number, server: ServerProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await isReady(cluster, port))) {
    if (hasEnded(server.child))
      throw new DatabaseSetupError(`The embedded Postgres did not start: ${server.lastLines()}`)
    if (Date.now() > deadline)
      throw new DatabaseSetupError(`The embedded Postgres was not ready in time: ${server.lastLines()}`)
    await delay(20)
  }
}

/** Ready means that our own database answers, so it is made here. */
async function isReady(cluster: Cluster, port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: buildUrl(cluster, port, 'postgres'), ssl: false })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
    return true
  } catch (error) {
    const code = (error as { code?: string }).code
    // 57P03 while it starts; anything else, such as a wrong password, will not go away by waiting.
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03' || code === undefined) return false
    throw new DatabaseSetupError(`The embedded Postgres refuses us: ${(error as Error).message}`, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function buildUrl(cluster: Cluster, port: number, database: string): string {
  return `postgres://${USER}:${cluster.password}@127.0.0.1:${port}/${database}?sslmode=disable`
}
