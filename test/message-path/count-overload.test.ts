import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { giveBody, startFakedPath } from './faked-path.ts'
import { hello, post, untilTrue } from './path-client.ts'

const COUNT = '/v1/messages/count_tokens'
const nothing = (): void => undefined
const body = JSON.stringify(hello)

/** A counter that answers when the test says so. */
function waitingCounter() {
  const waiting: AnswerHandler[] = []
  let aborted = 0
  const countTokens = (_call: HostedCall, handler: AnswerHandler) => {
    waiting.push(handler)
    return {
      pause: nothing,
      resume: nothing,
      abort: () => {
        aborted += 1
      },
    }
  }
  const answerAll = (): void => {
    for (const handler of waiting) {
      handler.onHead(200, {})
      giveBody(handler, Buffer.from('{"inputTokens":4242}'))
      handler.onEnd()
    }
  }
  return { host: { countTokens }, asked: () => waiting.length, aborted: () => aborted, answerAll }
}

test('a count has its place among the calls of the process until its answer is written', async () => {
  const counter = waitingCounter()
  const path = await startFakedPath({ host: counter.host })
  try {
    const counts = Array.from({ length: 5 }, () => post(path, 'any', hello, { path: COUNT }))
    await untilTrue(() => counter.asked() === 5)
    assert.equal(path.ports.overload.calls(), 5)
    counter.answerAll()
    for (const response of await Promise.all(counts)) assert.deepEqual(await response.json(), { input_tokens: 4242 })
    assert.equal(path.ports.overload.calls(), 0)
  } finally {
    path.stop()
  }
})

test('a count in a process that is full is 529 in the form of its client, and nobody is asked', async () => {
  const counter = waitingCounter()
  const path = await startFakedPath({ host: counter.host, overload: { enter: () => undefined, calls: () => 0 } })
  try {
    const messages = await post(path, 'any', hello, { path: COUNT })
    assert.deepEqual([messages.status, messages.headers.get('retry-after')], [529, '2'])
    assert.equal(((await messages.json()) as { error: { type: string } }).error.type, 'overloaded_error')
    const bedrock = await post(path, 'any', hello, { path: '/bedrock/count' })
    assert.equal(bedrock.status, 529)
    assert.equal(typeof ((await bedrock.json()) as { message: unknown }).message, 'string')
    assert.equal(counter.asked(), 0)
  } finally {
    path.stop()
  }
})

test('a count that fails leaves its place', async () => {
  const countTokens = () => {
    throw new Error('a defect')
  }
  const path = await startFakedPath({ host: { countTokens } })
  try {
    for (const [sent, status] of [
      [hello, 500],
      ['not JSON', 400],
      [{ model: 'claude-sonnet-5' }, 400],
    ] as const) {
      const response = await post(path, 'any', sent, { path: COUNT })
      await response.text()
      assert.equal(response.status, status)
      assert.equal(path.ports.overload.calls(), 0)
    }
  } finally {
    path.stop()
  }
})

test('a client that leaves gives its place back, and the hosted service is not waited for', async () => {
  const counter = waitingCounter()
  const path = await startFakedPath({ host: counter.host })
  try {
    const socket = path.send(COUNT, body)
    await untilTrue(() => counter.asked() === 1)
    assert.equal(path.ports.overload.calls(), 1)
    socket.resetAndDestroy()
    await untilTrue(() => path.ports.overload.calls() === 0)
    await untilTrue(() => counter.aborted() === 1)
  } finally {
    path.stop()
  }
})

test('a client that leaves while its credential is checked gives its place back, once', async () => {
  const counter = waitingCounter()
  const checked = Promise.withResolvers<never>()
  const path = await startFakedPath({ host: counter.host, authenticate: () => checked.promise })
  try {
    const socket = path.send(COUNT, body)
    await untilTrue(() => path.ports.overload.calls() === 1)
    socket.resetAndDestroy()
    await untilTrue(() => path.ports.overload.calls() === 0)
    checked.reject(new Error('too late'))
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(path.ports.overload.calls(), 0)
  } finally {
    path.stop()
  }
})
