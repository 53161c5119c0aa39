import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogging, type Logging } from '../../src/foundation/platform/logger.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let logging: Logging

before(async () => {
  const bare = await startApiApp()
  await bare.stop()
  // The form in which a gateway writes unless it is told otherwise.
  logging = createLogging({ level: 'trace', format: 'text', write: () => undefined })
  app = await startApiApp({ ports: { status: { ...bare.ports.status, recentLog: logging.recent } } })
})
after(() => app.stop())

interface Entry {
  readonly at: string
  readonly level: string
  readonly text: string
}

async function read(query = ''): Promise<{ data: Entry[]; cursor: string; left_out: number; instance_id: string }> {
  const { status, body } = await app.call('GET', `/admin/logs${query}`, { as: app.admin })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const told = ({ data }: { readonly data: readonly Entry[] }) => data.map(({ level, text }) => `${level} ${text}`)

test('lines are read back with their time and level, and an error with some of its stack', async () => {
  const { log } = logging
  log.info({ id: 'req_1', status: 200 }, 'request')
  log.warn('a quiet warning')
  log.error({ err: new Error('it broke') }, 'a loop failed')
  const answer = await read()
  assert.deepEqual(told({ data: answer.data.slice(0, 2) }), [
    'info request id=req_1 status=200',
    'warn a quiet warning',
  ])
  const failed = answer.data.at(-1)
  assert.match(failed?.text ?? '', /^a loop failed error=Error reason="it broke"\n +at /)
  assert.ok(Math.abs(Date.now() - Date.parse(failed?.at ?? '')) < 60_000)
  assert.deepEqual([answer.left_out, answer.instance_id.length], [0, 36])
})

test('what is new comes behind the cursor, also among cursors of other instances', async () => {
  const { cursor } = await read()
  assert.deepEqual((await read(`?after=${cursor}`)).data, [])
  logging.log.info('later')
  const other = '00000000-0000-4000-8000-000000000000:7'
  assert.deepEqual(told(await read(`?after=${other},${cursor}`)), ['info later'])
  assert.ok((await read(`?after=${other}`)).data.length > 1, 'a place in the log of another instance says nothing')
})

test('level, text and limit choose; what did not fit is counted', async () => {
  for (let index = 0; index < 5; index += 1) logging.log.warn({ index }, 'counted here')
  assert.deepEqual(told(await read('?level=warn&q=COUNTED&limit=2')), [
    'warn counted here index=3',
    'warn counted here index=4',
  ])
  assert.equal((await read('?q=counted&limit=2')).left_out, 3)
  assert.deepEqual((await read('?level=error&q=counted')).data, [])
  for (const query of ['?level=debug', '?limit=0', '?limit=201', '?after=1', '?after=x:1', '?since=1'])
    assert.equal((await app.call('GET', `/admin/logs${query}`, { as: app.admin })).status, 400, query)
})

test('what people write at debug is never shown, nor the rest of its line', async () => {
  const { cursor } = await read()
  logging.log.debug({ body: 'dear diary' }, 'body of a request')
  logging.log.trace({ err: new Error('dear diary') }, 'deeper')
  logging.log.fatal('the end')
  assert.deepEqual(told(await read(`?after=${cursor}`)), ['error the end'])
})

test('a credential that reached a line is gone here too', async () => {
  const { cursor } = await read()
  logging.log.warn(`somebody sent sk-proxy-${'a'.repeat(40)}`)
  const [line = ''] = told(await read(`?after=${cursor}`))
  assert.match(line, /somebody sent sk-proxy-a{7}…$/)
})

test('lines that are written as JSON read the same', async () => {
  const json = createLogging({ level: 'info', format: 'json', write: () => undefined })
  const other = await startApiApp({ ports: { status: { ...app.ports.status, recentLog: json.recent } } })
  try {
    json.log.warn({ id: 'req_2', err: new Error('it broke') }, 'as JSON')
    const { body } = await other.call('GET', '/admin/logs?level=warn', { as: other.admin })
    assert.match(told(body)[0] ?? '', /^warn as JSON id=req_2 error=Error reason="it broke"\n +at /)
  } finally {
    await other.stop()
  }
})

test('every declared answer of the log was exercised', () => app.assertCovered('Log', isOwnStatus))
