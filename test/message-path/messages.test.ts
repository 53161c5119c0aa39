import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(() => gateway.stop())

function send(body: object, headers: Record<string, string> = { authorization: `Bearer ${key}` }): Promise<Response> {
  return fetch(`${gateway.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const hello = { model: 'claude-sonnet-5', max_tokens: 200, messages: [{ role: 'user', content: 'Hello' }] }

test('a whole answer carries the model that was asked for and one record in the ledger', async () => {
  const response = await send(hello)
  const answer = (await response.json()) as { model: string; usage: { input_tokens: number; output_tokens: number } }
  assert.equal(response.status, 200)
  assert.equal(answer.model, 'claude-sonnet-5')
  const requestId = response.headers.get('request-id') ?? ''
  const record = await untilRecorded(requestId)
  assert.equal(record?.usage.inputTokens, answer.usage.input_tokens)
  assert.equal(record?.usage.outputTokens, answer.usage.output_tokens)
  assert.equal(record?.hostedModel, 'us.anthropic.claude-sonnet-5')
  const expected = (answer.usage.input_tokens * 2.2 + answer.usage.output_tokens * 11) * 1000
  assert.ok(Math.abs((record?.costNanoUsd ?? 0) - expected) <= 1, `${record?.costNanoUsd} for ${expected}`)
})

test('a stream ends with message_stop and its record is there when the client sees the end', async () => {
  const response = await send({ ...hello, stream: true })
  const text = await response.text()
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.match(text, /^event: message_start\ndata: /)
  assert.match(text, /event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/)
  assert.doesNotMatch(text, /invocationMetrics/)
  const record = await untilRecorded(response.headers.get('request-id') ?? '')
  assert.equal(record?.streaming, true)
  assert.deepEqual(record?.flags, [])
})

test('both header carriers open the route, in the order of the contract', async () => {
  assert.equal((await send(hello, { 'x-api-key': key })).status, 200)
  assert.equal((await send(hello, { authorization: 'Bearer sk-proxy-wrong', 'x-api-key': key })).status, 200)
  assert.equal((await send(hello, { authorization: '', 'x-api-key': '' })).status, 401)
  const wrong = await send(hello, { authorization: 'Bearer sk-proxy-wrong' })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.headers.get('x-should-retry'), 'false')
})

async function untilRecorded(requestId: string) {
  const log = createSpendLog((gateway.database as NonNullable<typeof gateway.database>).kysely)
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [record] = await log.find(requestId)
    if (record !== undefined) return record
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return undefined
}
