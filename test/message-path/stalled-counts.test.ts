import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock, test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { type FakedPath, giveBody, startFakedPath } from './faked-path.ts'
import { hello } from './path-client.ts'

const nothing = (): void => undefined
const counted = /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"input_tokens":\d+\}$/

interface Counting {
  readonly path: FakedPath
  readonly aborts: () => number
  /** The next question that the counter is asked. */
  readonly nextQuestion: () => Promise<AnswerHandler>
}

/** A counter that answers nothing by itself, under a clock that stands still. */
async function withCounter(work: (counting: Counting) => Promise<void>): Promise<void> {
  let aborts = 0
  let question = Promise.withResolvers<AnswerHandler>()
  const countTokens = (_call: HostedCall, handler: AnswerHandler) => {
    question.resolve(handler)
    return { pause: nothing, resume: nothing, abort: () => void (aborts += 1) }
  }
  const path = await startFakedPath({ host: { countTokens } })
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    await work({
      path,
      aborts: () => aborts,
      nextQuestion: async () => {
        const handler = await question.promise
        question = Promise.withResolvers()
        return handler
      },
    })
  } finally {
    mock.timers.reset()
    path.stop()
  }
}

test('a counter that stalls after its head is given up after three seconds, and the count is an estimate', () =>
  withCounter(async ({ path, aborts, nextQuestion }) => {
    const answered = once(path.send('/v1/messages/count_tokens', JSON.stringify(hello)), 'data')
    const handler = await nextQuestion()
    handler.onHead(200, {})
    giveBody(handler, Buffer.from('{"inputTok'))
    mock.timers.tick(2_999)
    assert.equal(aborts(), 0)
    mock.timers.tick(1)
    assert.equal(aborts(), 1)
    assert.match(String(await answered), counted)
    assert.equal(
      path.ports.capabilities.verdict('main', 'anthropic.claude-sonnet-5', 'operation:count-tokens'),
      'unknown',
    )
  }))

test('tries that are refused one after the other have three seconds together', () =>
  withCounter(async ({ path, aborts, nextQuestion }) => {
    const body = JSON.stringify({ ...hello, brand_new: 1 })
    const answered = once(path.send('/v1/messages/count_tokens', body), 'data')
    const first = await nextQuestion()
    mock.timers.tick(2_000)
    const message = 'brand_new: Extra inputs are not permitted'
    first.onFailure({ kind: 'answered', status: 400, name: 'ValidationException', message, retryAfterSeconds: null })
    await nextQuestion()
    mock.timers.tick(999)
    assert.equal(aborts(), 0)
    mock.timers.tick(1)
    assert.equal(aborts(), 1)
    assert.match(String(await answered), counted)
  }))
