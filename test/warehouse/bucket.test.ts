import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { type ControlClient, controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createBucket } from '../../src/extensions/warehouse/bucket.ts'
import { toPlace } from '../../src/extensions/warehouse/warehouse-place.ts'
import { createWarehouseWriter } from '../../src/extensions/warehouse/write-files.loop.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { askDuckDb, fromFiles } from './duckdb.ts'
import { makeFolder, runNow } from './writers.ts'

let own: TestDatabase
let simulator: Simulator
let control: ControlClient
let reader: S3Client
const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_ENDPOINT_URL_S3', 'AWS_SESSION_TOKEN'] as const
const environment = Object.fromEntries(names.map((name) => [name, process.env[name]]))

const useCredentials = (secretKey: string): void => {
  process.env['AWS_ACCESS_KEY_ID'] = simulator.accessKey
  process.env['AWS_SECRET_ACCESS_KEY'] = secretKey
  process.env['AWS_ENDPOINT_URL_S3'] = simulator.url
  delete process.env['AWS_SESSION_TOKEN']
}

before(async () => {
  own = await createTestDatabase()
  simulator = await startSimulator()
  control = controlClient(simulator.controlUrl)
  useCredentials(simulator.secretKey)
  reader = new S3Client({ region: 'us-east-1', forcePathStyle: true, maxAttempts: 1 })
})
after(async () => {
  for (const name of names) {
    const value = environment[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  reader.destroy()
  await simulator.close()
  await own.drop()
})
beforeEach(async () => {
  useCredentials(simulator.secretKey)
  await own.database.pool.query(`truncate spend_log, warehouse_days, warehouse_files, warehouse_late;
    update warehouse_state set held_until = now() - interval '1 second', failures = 0, failure = null, failed_at = null`)
})
afterEach(() => control.reset())

function makeBucketWriter(t: TestContext, url = 's3://spend-log/gateway one/') {
  const temporaryFolder = makeFolder(t)
  const instanceId = newId()
  const place = toPlace(url, 'us-east-1')
  assert.ok(place.kind === 'bucket')
  const destination = createBucket({ place, temporaryFolder, instanceId, hasOwnEndpoint: true })
  t.after(() => destination.close())
  const { log } = createLogging({ level: 'info', format: 'json', write: () => undefined })
  const ports = {
    findDatabase: () => own.database,
    destination,
    instanceId,
    log,
    readOpenDay: async () => '2027-01-01',
  }
  return { writer: createWarehouseWriter(ports), temporaryFolder }
}

const store = (count: number, day = '2026-06-15') =>
  createSpendLog(own.database.kysely).appendBatch(
    Array.from({ length: count }, () => aSpendRecord({ atMs: Date.parse(`${day}T12:00:00Z`) })),
  )

const listKeys = async (): Promise<readonly string[]> => {
  const { Contents = [] } = await reader.send(new ListObjectsV2Command({ Bucket: 'spend-log', Prefix: 'gateway one/' }))
  return Contents.map(({ Key = '' }) => Key)
}

/** Every object, as files that DuckDB can read. */
async function download(t: TestContext): Promise<string> {
  const folder = makeFolder(t)
  for (const key of await listKeys()) {
    const { Body } = await reader.send(new GetObjectCommand({ Bucket: 'spend-log', Key: key }))
    const file = path.join(folder, key.slice('gateway one/'.length))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, (await Body?.transformToByteArray()) ?? '')
  }
  return folder
}

const countIn = async (folder: string) =>
  (
    await askDuckDb(
      `select count(*)::integer as records, count(distinct request_id)::integer as ids from ${fromFiles(folder)}`,
    )
  )[0]

const readState = async () =>
  (await own.database.pool.query('select failures, failure from warehouse_state')).rows[0] as {
    readonly failures: number
    readonly failure: string | null
  }

test('files and manifests are in the bucket below the prefix, and nothing stays on this machine', async (t) => {
  await store(3)
  const { writer, temporaryFolder } = makeBucketWriter(t)
  await runNow(own.database, writer)
  assert.deepEqual(await readState(), { failures: 0, failure: null })
  assert.deepEqual(
    (await listKeys()).map((key) => key.replace(/-[0-9a-f]{12}\.parquet$/, '-….parquet')),
    ['gateway one/dt=2026-06-15/_manifest.json', 'gateway one/dt=2026-06-15/causeway-2026-06-15-0001-….parquet'],
  )
  assert.deepEqual(await countIn(await download(t)), { records: 3, ids: 3 })
  assert.deepEqual(readdirSync(temporaryFolder), [])
})

test('late records make a second object of the day', async (t) => {
  const { writer } = makeBucketWriter(t)
  await store(3)
  await runNow(own.database, writer)
  await store(2)
  await runNow(own.database, writer)
  assert.equal((await listKeys()).length, 3)
  assert.deepEqual(await countIn(await download(t)), { records: 5, ids: 5 })
})

test('while the bucket is away nothing is lost, and its return doubles nothing', async (t) => {
  const { writer } = makeBucketWriter(t)
  await store(3)
  await control.script({ match: { operation: 'PutObject' }, behaviour: { reset: true }, times: 1 })
  await runNow(own.database, writer)
  assert.equal((await readState()).failures, 1)
  await store(2)
  await runNow(own.database, writer)
  await runNow(own.database, writer)
  assert.deepEqual(await countIn(await download(t)), { records: 5, ids: 5 })
})

test('a bucket that is not there and a wrong secret are named', async (t) => {
  await store(1)
  const { writer } = makeBucketWriter(t, 's3://missing-bucket')
  await runNow(own.database, writer)
  assert.match((await readState()).failure ?? '', /^NoSuchBucket: The specified bucket does not exist/)
  useCredentials('wrong')
  const { writer: stranger } = makeBucketWriter(t)
  await runNow(own.database, stranger)
  assert.match((await readState()).failure ?? '', /^SignatureDoesNotMatch: /)
  assert.equal((await readState()).failures, 2)
})

test('an object whose bytes are not those of its checksum is refused', async () => {
  const sha256 = createHash('sha256').update('one').digest('base64')
  const command = new PutObjectCommand({ Bucket: 'spend-log', Key: 'x', Body: 'two', ChecksumSHA256: sha256 })
  await assert.rejects(reader.send(command), { name: 'BadDigest' })
})

test('the place is read from the URL', () => {
  assert.deepEqual(toPlace('s3://spend-log', 'us-east-1'), {
    kind: 'bucket',
    bucket: 'spend-log',
    prefix: '',
    region: 'us-east-1',
  })
  assert.deepEqual(toPlace('s3://spend-log/one/two/?region=eu-west-1', 'us-east-1'), {
    kind: 'bucket',
    bucket: 'spend-log',
    prefix: 'one/two/',
    region: 'eu-west-1',
  })
  assert.deepEqual(toPlace('file:///srv/a%20b', 'us-east-1'), { kind: 'folder', folder: '/srv/a b' })
})
