import assert from 'node:assert/strict'
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../../../src/foundation/database/database.ts'
import { claimDirectory, readCommand } from '../../../src/foundation/database/embedded/embedded-owner.ts'
import { startEmbeddedPostgres } from '../../../src/foundation/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../../../src/foundation/database/migrate.ts'
import { DatabaseSetupError } from '../../../src/foundation/database/store-errors.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { spawnGateway } from '../../support/gateway-process.ts'

const settings = { fsync: 'off' }
let parent: string
let directory: string
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'causeway-embedded-'))
  await chmod(parent, 0o755)
  directory = join(parent, 'data')
})
after(() => rm(parent, { recursive: true, force: true }))

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8'), 10)
}

async function startElsewhere(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(join(import.meta.dirname, '../../database/programs/own-embedded.ts'), [directory])
  const [message] = (await once(child, 'message')) as [{ url: string }]
  return { child, url: message.url }
}

test('the first start makes a cluster behind a password that only the owner can read', async () => {
  const server = await startEmbeddedPostgres({ directory, settings })
  await query(server.url, 'create table kept as select 42 as answer')
  assert.equal((await stat(join(directory, 'password'))).mode & 0o777, 0o600)
  assert.equal(new URL(server.url).hostname, '127.0.0.1')
  const wrong = new URL(server.url)
  wrong.password = 'guess'
  await assert.rejects(query(wrong.href, 'select 1'), /password authentication failed/)
  await server.stop()
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/)
})

test('a copy of the directory of a stopped server is a backup', async () => {
  const copy = join(parent, 'copy')
  await promisify(execFile)('cp', ['-a', directory, copy])
  const server = await startEmbeddedPostgres({ directory: copy, settings })
  assert.deepEqual(await query(server.url, 'select answer from kept'), [{ answer: 42 }])
  await server.stop()
})

test('the second start keeps the rows and is quick', async (context) => {
  const startedMs = performance.now()
  const server = await startEmbeddedPostgres({ directory, settings })
  context.diagnostic(`started in ${(performance.now() - startedMs).toFixed(0)} ms`)
  assert.deepEqual(await query(server.url, 'select answer from kept'), [{ answer: 42 }])
  await server.stop()
})

test('a second process on the same directory gets a clear error, and the first goes on', async () => {
  const first = await startElsewhere()
  await assert.rejects(
    startEmbeddedPostgres({ directory, settings }),
    (error) =>
      error instanceof DatabaseSetupError && error.message.includes(`in use by process ${String(first.child.pid)}`),
  )
  assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }])
  first.child.send('stop')
  await once(first.child, 'exit')
})

test('after a kill -9 of its owner the running server is taken over and no committed row is lost', async () => {
  const first = await startElsewhere()
  await query(first.url, `insert into kept values (43)`)
  const orphan = await postmasterPid()
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  assert.match(await readCommand(orphan), /postgres/)
  const server = await startEmbeddedPostgres({ directory, settings })
  assert.equal(await readCommand(orphan), '')
  assert.deepEqual(await query(server.url, 'select answer from kept order by 1'), [{ answer: 42 }, { answer: 43 }])
  await server.stop()
})

test('a pid file that names a foreign process does not keep it from starting', async () => {
  await writeFile(join(directory, 'cluster', 'postmaster.pid'), `${process.pid}\n${directory}/cluster\n`)
  await writeFile(join(directory, 'owner'), `${process.pid} (started 12345) on ${hostname()}`)
  const server = await startEmbeddedPostgres({ directory, settings })
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
  await server.stop()
})

test('a directory that another host still holds is refused, and one that it left is taken over', async () => {
  const shared = join(parent, 'shared')
  await mkdir(shared)
  const options = { heartbeatMs: 20, foreignWaitMs: 300 }
  const release = await claimDirectory(shared, options)
  const owner = join(shared, 'owner')
  await writeFile(owner, '17 (started 1) on another-host')
  await assert.rejects(claimDirectory(shared, options), /in use by process 17 .* on another-host/)
  await release()
  await writeFile(owner, '17 (started 1) on another-host')
  const releaseAgain = await claimDirectory(shared, options)
  assert.match(await readFile(owner, 'utf8'), new RegExp(`^${process.pid} `))
  await releaseAgain()
})

test('a first start that was killed half-way is begun again', async () => {
  const other = join(parent, 'half')
  const first = await startEmbeddedPostgres({ directory: other, settings })
  await first.stop()
  await rm(join(other, 'cluster', 'global'), { recursive: true })
  await rename(join(other, 'cluster'), join(other, 'cluster.unfinished'))
  const server = await startEmbeddedPostgres({ directory: other, settings })
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
  await server.stop()
})

test('a server that dies on its own comes back on the same address, and the pool finds it', async () => {
  const lines: string[] = []
  const database = await openDatabase({ kind: 'embedded', directory, onLog: (line) => lines.push(line) })
  await migrateToLatest(database)
  process.kill(await postmasterPid(), 'SIGKILL')
  const deadlineMs = Date.now() + 120_000
  for (;;) {
    try {
      await database.ping()
      if (lines.some((line) => line.includes('started again'))) break
    } catch (error) {
      if (Date.now() > deadlineMs) throw error
    }
    await delay(50)
  }
  const { rows } = await sql`select 1 as one`.execute(database.kysely)
  assert.deepEqual(rows, [{ one: 1 }])
  await database.close()
  await assert.rejects(stat(join(directory, 'cluster', 'postmaster.pid')), /ENOENT/)
})

test('a directory that cannot be entered is named in the error', async (context) => {
  if (process.getuid?.() !== 0) return context.diagnostic('only root starts the server under another account')
  const closed = join(parent, 'closed')
  await mkdir(closed, { mode: 0o700 })
  await assert.rejects(
    startEmbeddedPostgres({ directory: join(closed, 'data'), settings }),
    (error) => error instanceof DatabaseSetupError && error.message.includes(closed),
  )
})

test('a program that would run for long ends with the process that has begun it', async () => {
  const place = JSON.stringify(import.meta.resolve('../../../src/foundation/database/embedded/embedded-server.ts'))
  const script = `
    const { runProgram } = await import(${place})
    const { child } = runProgram('sleep', ['600'], {}, () => undefined)
    child.once('spawn', () => process.stdout.write(String(child.pid), () => process.exit(0)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const isRunning = (): boolean => {
    try {
      return process.kill(Number(stdout), 0)
    } catch {
      return false
    }
  }
  assert.match(stdout, /^\d+$/)
  await untilTrue(() => !isRunning())
})

test('a gateway that is told to stop during its first start leaves no program running', async () => {
  const first = join(parent, 'first')
  const cluster = join(first, 'cluster.unfinished')
  const gateway = spawnGateway({
    DATABASE_URL: `embedded:${first}`,
    DATA_DIR: parent,
    SPEND_JOURNAL_DIR: join(parent, 'journal'),
  })
  const isAtWork = async (): Promise<boolean> =>
    (await promisify(execFile)('ps', ['-eo', 'args'])).stdout.includes(`--pgdata=${cluster}`)
  await gateway.listening()
  await untilTrue(isAtWork)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
  await untilTrue(async () => !(await isAtWork()))
  const again = await startEmbeddedPostgres({ directory: first, settings })
  await query(again.url, 'select 1')
  await again.stop()
})
