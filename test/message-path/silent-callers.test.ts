import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { createOverloadGate } from '../../src/message-path/receive/overload-gate.ts'
import { sampleCaller } from '../../src/message-path/sample-calls.fixture.ts'
import { type FakedPath, giveBody, startFakedPath } from './faked-path.ts'
import { hello, post, untilTrue } from './path-client.ts'

const PLACES = 100
const nothing = (): void => undefined
const routes = ['/v1/messages', '/v1/messages/count_tokens'] as const

/** Who calls is said in a header; the hosted service answers when the test says so, or at once. */
async function startSmallPath() {
  const waiting: AnswerHandler[] = []
  let isHeld = false
  const answer = (handler: AnswerHandler): void => {
    handler.onHead(200, {})
    giveBody(handler, Buffer.from('{"content":[],"inputTokens":1,"usage":{"input_tokens":1,"output_tokens":1}}'))
    handler.onEnd()
  }
  const take = (_call: HostedCall, handler: AnswerHandler) => {
    if (isHeld) waiting.push(handler)
    else setImmediate(() => answer(handler))
    return { pause: nothing, resume: nothing, abort: nothing }
  }
  const path = await startFakedPath({
    host: { invoke: take, countTokens: take },
    authenticate: (headers: IncomingHttpHeaders) => sampleCaller(String(headers['x-api-key'])),
    overload: createOverloadGate(undefined, PLACES),
  })
  return {
    path,
    hold: () => {
      isHeld = true
    },
    held: () => waiting.length,
    answerAll: () => waiting.splice(0).forEach(answer),
  }
}

interface Silent {
  readonly socket: Socket
  readonly said: () => string
}

/** A head, and of its body at most the beginning. */
function silent({ url }: FakedPath, caller: string, route: string, begin = ''): Silent {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  socket.on('error', nothing)
  socket.on('data', (bytes) => {
    said += String(bytes)
  })
  socket.write(
    `POST ${route} HTTP/1.1\r\nhost: x\r\nx-api-key: ${caller}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n${begin}`,
  )
  return { socket, said: () => said }
}

const ask = async (path: FakedPath, caller: string, route: string): Promise<number> => {
  const response = await post(path, caller, hello, { path: route, headers: { 'x-api-key': caller } })
  await response.text()
  return response.status
}

for (const route of routes)
  for (const begin of ['', '{"model":'])
    test(`whoever sends ${begin === '' ? 'no bodies' : 'beginnings of bodies'} to ${route} takes little more than half of the places, and others are served`, async () => {
      const { path } = await startSmallPath()
      const { overload } = path.ports
      const sent: Silent[] = []
      try {
        for (let call = 0; call < 3 * PLACES; call += 1) sent.push(silent(path, 'silent', route, begin))
        const refused = () => sent.filter(({ said }) => said().startsWith('HTTP/1.1 529 ')).length
        await untilTrue(() => refused() + overload.calls() === sent.length)
        assert.equal(overload.calls(), PLACES / 2 + PLACES / 10)
        for (const { said } of sent) assert.match(said(), /^$|^HTTP\/1\.1 529 .*retry-after: 2\r\n/is)
        for (const other of routes) assert.equal(await ask(path, 'other', other), 200)
        // A second one of the kind gets a tenth of the places.
        for (let call = 0; call < PLACES; call += 1) sent.push(silent(path, 'second', route, begin))
        await untilTrue(() => refused() + overload.calls() === sent.length)
        assert.equal(overload.calls(), PLACES / 2 + PLACES / 5)
        assert.equal(await ask(path, 'other', route), 200)
        // And when they have gone, nothing is held against them.
        for (const { socket } of sent) socket.destroy()
        await untilTrue(() => overload.calls() === 0)
        assert.equal(await ask(path, 'silent', route), 200)
      } finally {
        for (const { socket } of sent) socket.destroy()
        path.stop()
      }
    })

test('one caller whose bodies come may have every place', async () => {
  const { path, hold, held, answerAll } = await startSmallPath()
  try {
    hold()
    const calls = Array.from({ length: PLACES }, () => ask(path, 'busy', '/v1/messages'))
    await untilTrue(() => held() === PLACES)
    assert.equal(await ask(path, 'busy', '/v1/messages'), 529)
    answerAll()
    assert.deepEqual(new Set(await Promise.all(calls)), new Set([200]))
    assert.equal(path.ports.overload.calls(), 0)
  } finally {
    path.stop()
  }
})
