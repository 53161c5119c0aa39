import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import type { Behaviour } from '../../simulator/behaviour.ts'
import { controlClient } from '../../simulator/control-client.ts'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { joinedSpend } from '../../src/modules/spend/spend-log.store.ts'
import { toSpendRecord } from '../../src/modules/spend/stored-spend.store.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { countRecords, gaugeOf, hello, post, until, untilTrue } from './path-client.ts'

/** Far above what a busy machine needs to read a short answer to its end. */
const DRAIN_MS = 2_000

let gateway: TestGateway
let simulator: Simulator
let key = ''

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  // A model that the gateway does not know and has to look up.
  await controlClient(simulator.controlUrl).defineModel({
    foundationModelId: 'anthropic.claude-newest-9',
    like: 'anthropic.claude-sonnet-5',
    prefixes: ['us'],
  })
  gateway = await startGateway({
    simulator,
    answerLimits: { drainMs: DRAIN_MS, headAfterMs: 150, pingAfterMs: 100 },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await simulator.close()
})

interface Caller {
  readonly received: () => string
  readonly leave: () => void
  readonly send: (bytes: string) => void
}

/** A client that can leave at any moment, with a reset or in good order. */
function call(body: string | null, sent = body?.length ?? 0): Promise<Caller> {
  return new Promise((resolve) => {
    const socket = net.connect(gateway.port, '127.0.0.1', () => {
      if (body !== null) socket.write(`${headOf(body.length)}${body.slice(0, sent)}`)
      resolve({
        received: () => received,
        leave: () => void socket.resetAndDestroy(),
        send: (bytes) => void socket.write(bytes),
      })
    })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
  })
}

function headOf(length: number): string {
  return `POST /v1/messages HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
}

const streaming = JSON.stringify({ ...hello, stream: true })
const whole = JSON.stringify(hello)

async function scripted(behaviour: Behaviour, times = 1): Promise<void> {
  await gateway.control.clearScripts()
  await gateway.control.clearLedger()
  await gateway.control.script({ match: { operation: 'invoke' }, times, behaviour })
}

async function newestRecord() {
  const { database } = gateway
  if (database === undefined) throw new Error('no database')
  const row = await joinedSpend(database.kysely).orderBy('spend_log.at', 'desc').limit(1).executeTakeFirstOrThrow()
  return toSpendRecord(row)
}

async function settled(recordsBefore: number, expected: number): Promise<void> {
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0)
  await untilTrue(async () => (await countRecords(gateway)) >= recordsBefore + expected)
  assert.equal(await countRecords(gateway), recordsBefore + expected)
  assert.equal(await gaugeOf(gateway, 'gateway_open_streams'), 0)
}

function upstreamCalls() {
  return gateway.control.ledger().then((calls) => calls.filter(({ operation }) => operation.startsWith('InvokeModel')))
}

test('a client that leaves before it asks leaves no trace', async () => {
  const before = await countRecords(gateway)
  await scripted({})
  for (let time = 0; time < 20; time += 1) (await call(null)).leave()
  await settled(before, 0)
  assert.equal((await upstreamCalls()).length, 0)
})

test('a client that leaves inside its upload gets one record of a refusal and no call upstream', async () => {
  const before = await countRecords(gateway)
  await scripted({})
  const callers = await Promise.all(Array.from({ length: 20 }, (_, time) => call(streaming, 1 + time)))
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 20)
  for (const caller of callers) caller.leave()
  await settled(before, 20)
  assert.equal((await upstreamCalls()).length, 0)
  const record = await newestRecord()
  assert.equal(record.status, 400)
  assert.equal(record.costNanoUsd, 0)
})

for (const [name, body] of [
  ['a stream', streaming],
  ['a whole answer', whole],
] as const) {
  test(`${name} whose client leaves before the first byte is read to its end for its usage`, async () => {
    const before = await countRecords(gateway)
    await scripted({ delayMs: 600 }, 20)
    const callers = await Promise.all(Array.from({ length: 20 }, () => call(body)))
    await untilTrue(async () => (await upstreamCalls()).length === 20)
    for (const caller of callers) caller.leave()
    await settled(before, 20)
    for (const entry of await upstreamCalls()) assert.ok(entry.completed && !entry.aborted)
    const record = await newestRecord()
    assert.ok(record.usage.inputTokens > 1_000_000)
    assert.deepEqual(record.flags, ['aborted'])
    assert.equal(record.status, 200)
  })

  test(`${name} whose client closes its sending side has lost its client, who can no longer be told from one that has gone`, async () => {
    const before = await countRecords(gateway)
    await scripted({ delayMs: 300 })
    const socket = net.connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.write(`${headOf(body.length)}${body}`)
    await untilTrue(async () => (await upstreamCalls()).length === 1)
    socket.end()
    await once(socket, 'end')
    assert.equal(received, '')
    await settled(before, 1)
    assert.deepEqual((await newestRecord()).flags, ['aborted'])
  })

  test(`${name} that does not come is given up when the time for reading on is over`, async () => {
    const before = await countRecords(gateway)
    await scripted({ hangMs: 3_600_000 })
    const caller = await call(body)
    await untilTrue(async () => (await upstreamCalls()).length === 1)
    const leftMs = performance.now()
    caller.leave()
    await settled(before, 1)
    const waitedMs = performance.now() - leftMs
    assert.ok(waitedMs > DRAIN_MS - 50, `${waitedMs} ms`)
    await untilTrue(async () => (await upstreamCalls())[0]?.aborted === true)
    const record = await newestRecord()
    assert.deepEqual([...record.flags].sort(), ['aborted', 'estimated'])
    assert.ok(record.usage.inputTokens > 0)
  })
}

test('a stream whose client leaves after some events is read to its end, and the record has all of it', async () => {
  const before = await countRecords(gateway)
  await scripted({ pace: { eventsPerSecond: 60, firstEventDelayMs: 0 } }, 20)
  const callers = await Promise.all(Array.from({ length: 20 }, () => call(streaming)))
  await Promise.all(
    callers.map(async (caller, index) => {
      await untilTrue(() => caller.received().split('event: ').length > 1 + (index % 5))
      caller.leave()
    }),
  )
  await settled(before, 20)
  for (const entry of await upstreamCalls()) assert.ok(entry.completed, JSON.stringify(entry))
  assert.deepEqual((await newestRecord()).flags, ['aborted'])
})

test('a stream that goes on longer than it is read on is cancelled, and what it said of usage is kept', async () => {
  const before = await countRecords(gateway)
  await scripted({ silence: { afterEvents: 2, ms: 3_600_000 } })
  const caller = await call(streaming)
  await untilTrue(() => caller.received().includes('event: content_block_start'))
  caller.leave()
  await settled(before, 1)
  await untilTrue(async () => (await upstreamCalls())[0]?.aborted === true)
  const record = await newestRecord()
  assert.ok(record.usage.inputTokens > 1_000_000)
  assert.deepEqual([...record.flags].sort(), ['aborted', 'estimated'])
})

test('a client that leaves at the last event is charged once, however close it was', async () => {
  const before = await countRecords(gateway)
  await scripted({}, 40)
  const callers = await Promise.all(Array.from({ length: 40 }, () => call(streaming)))
  await Promise.all(
    callers.map(async (caller) => {
      await until(() => (caller.received().length > 0 ? true : undefined))
      caller.leave()
    }),
  )
  await settled(before, 40)
})

test('a client that leaves while only the head could be sent does not stay in the count of open streams', async () => {
  const before = await countRecords(gateway)
  await scripted({ silence: { afterEvents: 0, ms: 400 } })
  const caller = await call(streaming)
  await untilTrue(async () => (await upstreamCalls()).length === 1)
  caller.leave()
  await settled(before, 1)
})

test('a client that leaves while its model is looked up is noticed before the answer is relayed', async () => {
  const before = await countRecords(gateway)
  await scripted({})
  const long = { content: [{ type: 'text', text: 'word '.repeat(20_000) }] }
  await gateway.control.clearScripts()
  await gateway.control.script({
    match: { operation: 'ListInferenceProfiles' },
    times: null,
    behaviour: { delayMs: 300 },
  })
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { answer: long } })
  const caller = await call(JSON.stringify({ ...hello, model: 'claude-newest-9', stream: true }))
  await untilTrue(async () => (await gateway.control.ledger({ operation: 'ListInferenceProfiles' })).length > 0)
  caller.leave()
  await settled(before, 1)
  const record = await newestRecord()
  assert.equal(record.status, 200)
  assert.deepEqual(record.flags, ['aborted', 'price_estimated'])
  assert.ok((await upstreamCalls())[0]?.completed)
})

test('of sixty answers whose clients leave together at least fifty are read on, and all are recorded', async () => {
  const before = await countRecords(gateway)
  await scripted({ delayMs: 300 }, 60)
  const callers = await Promise.all(Array.from({ length: 60 }, () => call(streaming)))
  await untilTrue(async () => (await upstreamCalls()).length === 60)
  for (const caller of callers) caller.leave()
  await settled(before, 60)
  await untilTrue(async () => (await upstreamCalls()).every(({ durationMs }) => durationMs !== null))
  const calls = await upstreamCalls()
  const completed = calls.filter((entry) => entry.completed).length
  assert.ok(completed >= 50, `${completed} read to the end`)
  assert.equal(completed + calls.filter(({ aborted }) => aborted).length, 60)
})

test('the gateway serves on', async () => {
  await gateway.control.clearScripts()
  assert.equal((await post(gateway, key, hello)).status, 200)
})
