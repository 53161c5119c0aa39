/** What becomes of new connections to the hosted service while names cannot be resolved. Through real sockets. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createHostLookup } from '../../src/bedrock/http1/host-addresses.ts'
import { createHttp1Client } from '../../src/bedrock/http1/http1-client.ts'
import { send, startRawServer, toBody, until } from './raw-server.ts'

type Answer = (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void

const away = Object.assign(new Error('getaddrinfo EAI_AGAIN model.test'), { code: 'EAI_AGAIN' })
const here = [{ address: '127.0.0.1', family: 4 }]

/** A resolver that is told how to answer; every connection of the client is a new one. */
async function setUp(context: TestContext) {
  const questions: Answer[] = []
  let answer: ((told: Answer) => void) | undefined = (told) => told(null, here)
  const server = await startRawServer((socket) => socket.write(toBody('ok', 'connection: close\r\n')))
  const client = createHttp1Client({
    connectTimeoutMs: 3_000,
    lookup: createHostLookup((host, _options, told) => {
      assert.equal(host, 'model.test')
      questions.push(told)
      if (answer !== undefined) setImmediate(answer, told)
    }),
  })
  context.after(async () => {
    client.close()
    await server.close()
  })
  return {
    questions,
    server,
    /** Undefined: never. */
    answerWith: (next: typeof answer) => {
      answer = next
    },
    call: () => send(client.origin(new URL(`http://model.test:${server.url.port}`))).done,
  }
}

test('connections that are opened at once ask once, later ones ask again', async (context) => {
  const { questions, call, server } = await setUp(context)
  const all = await Promise.all(Array.from({ length: 40 }, call))
  assert.ok(all.every(({ body }) => body === 'ok'))
  assert.deepEqual([questions.length, server.sockets.length], [1, 40])
  assert.equal((await call()).body, 'ok')
  assert.equal(questions.length, 2)
})

test('a resolver that fails or finds nothing does not keep anybody from where the host was last', async (context) => {
  const { answerWith, call } = await setUp(context)
  assert.equal((await call()).body, 'ok')
  for (const code of ['EAI_AGAIN', 'ENOTFOUND']) {
    answerWith((told) => told(Object.assign(new Error(code), { code }), []))
    assert.equal((await call()).body, 'ok', code)
  }
})

test('a resolver that does not answer costs a second, and its late answer is used by the next', async (context) => {
  const { answerWith, call, questions, server } = await setUp(context)
  await call()
  answerWith(undefined)
  const startedMs = performance.now()
  assert.equal((await call()).body, 'ok')
  const tookMs = performance.now() - startedMs
  assert.ok(tookMs >= 990, `${tookMs} ms`)
  // Nobody asks a second time while the first question is open.
  const another = call()
  await until(() => server.sockets.length === 2)
  assert.equal(questions.length, 2)
  questions[1]?.(null, here)
  assert.equal((await another).body, 'ok')
})

test('a host that nobody has ever found is unreachable, with the reason, and is asked for again', async (context) => {
  const { answerWith, call } = await setUp(context)
  answerWith((told) => told(away, []))
  const { failure } = await call()
  assert.deepEqual([failure?.kind, failure?.status], ['unreachable', 502])
  assert.match(failure?.message ?? '', /EAI_AGAIN/)
  answerWith((told) => told(null, here))
  assert.equal((await call()).body, 'ok')
})

test('a host that has moved is found as soon as the resolver answers', async (context) => {
  const { answerWith, call, server } = await setUp(context)
  await call()
  answerWith((told) => told(null, [{ address: '127.0.0.2', family: 4 }]))
  assert.equal((await call()).failure?.kind, 'unreachable')
  assert.equal(server.sockets.length, 1)
})

test('whoever wants a single address gets the first', async () => {
  const lookup = createHostLookup((_host, _options, told) => told(null, [...here, { address: '::1', family: 6 }]))
  const given = await new Promise((resolve) =>
    lookup('model.test', {}, (error, address, family) => resolve([error, address, family])),
  )
  assert.deepEqual(given, [null, '127.0.0.1', 4])
})
