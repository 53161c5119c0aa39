import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { hello, post, untilTrue } from './path-client.ts'

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    logLevel: 'debug',
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(() => gateway.stop())

interface LoggedBody {
  readonly msg: string
  readonly bytes: number
  readonly body: string
}

/** The bodies that were logged of one call, once there are as many as expected. */
async function loggedBodies(response: Response, count: number): Promise<readonly LoggedBody[]> {
  const id = response.headers.get('request-id')
  const found = (): LoggedBody[] =>
    gateway.logLines
      .map((line) => JSON.parse(line) as LoggedBody & { readonly id?: string })
      .filter((line) => line.id === id && line.msg.endsWith(' body'))
  await untilTrue(() => found().length >= count)
  return found()
}

const streamed = { ...hello, stream: true }

test('at the level debug the log has both bodies of a whole answer and of a stream', async () => {
  const whole = await post(gateway, key, hello)
  await whole.text()
  const [asked, answered] = await loggedBodies(whole, 2)
  assert.equal(asked?.body, JSON.stringify(hello))
  assert.match(answered?.body ?? '', /"stop_reason":"end_turn"/)

  const stream = await post(gateway, key, streamed)
  const text = await stream.text()
  const bodies = await loggedBodies(stream, 2)
  assert.deepEqual(
    bodies.map(({ msg, body }) => [msg, body]),
    [
      ['request body', JSON.stringify(streamed)],
      ['response body', text],
    ],
  )
  assert.equal(bodies[1]?.bytes, Buffer.byteLength(text))
})

test('of a long stream the log has the beginning and the size', async () => {
  const content = [{ type: 'text', text: 'long '.repeat(40_000) }]
  await gateway.control.script({ behaviour: { answer: { content } }, match: { operation: 'invoke' } })
  const stream = await post(gateway, key, streamed)
  const text = await stream.text()
  const [, answered] = await loggedBodies(stream, 2)
  assert.equal(answered?.bytes, Buffer.byteLength(text))
  assert.equal(answered?.body, text.slice(0, 64 * 1024))
})

test('a refusal, a failure within a stream and a count are logged as they were answered', async () => {
  const refused = await post(gateway, key, { ...hello, max_tokens: 'many' })
  assert.equal(refused.status, 400)
  const refusal = await refused.text()
  assert.equal((await loggedBodies(refused, 2))[1]?.body, refusal)

  await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { exception: { afterEvents: 2, type: 'internalServerException', message: 'broke off' } },
  })
  const broken = await post(gateway, key, streamed)
  const text = await broken.text()
  assert.match(text, /event: error/)
  assert.equal((await loggedBodies(broken, 2))[1]?.body, text)

  const question = { model: hello.model, messages: hello.messages }
  const counted = await post(gateway, key, question, { path: '/v1/messages/count_tokens' })
  const count = await counted.text()
  const bodies = await loggedBodies(counted, 2)
  assert.deepEqual(
    bodies.map(({ body }) => body),
    [JSON.stringify(question), count],
  )
})

test('a stream whose client leaves is logged as far as it was written', async () => {
  await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { silence: { afterEvents: 2, ms: 60_000 } },
  })
  const leaving = new AbortController()
  const stream = await post(gateway, key, streamed, { signal: leaving.signal })
  await stream.body?.getReader().read()
  leaving.abort()
  const [, answered] = await loggedBodies(stream, 2)
  assert.match(answered?.body ?? '', /^event: message_start\n/)
  assert.doesNotMatch(answered?.body ?? '', /message_stop/)
})
