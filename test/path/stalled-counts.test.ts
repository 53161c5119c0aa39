import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock, test } from 'node:test'
import type { HostedBodyHandler, HostedCall } from '../../src/data-plane/ports.ts'
import { startFakedPath } from './faked-path.ts'
import { hello } from './path-client.ts'

const nothing = (): void => undefined

test('a counter that stalls after its head is given up after three seconds, and the count is an estimate', async () => {
  let aborts = 0
  const begun = Promise.withResolvers<void>()
  const countTokens = (_call: HostedCall, handler: HostedBodyHandler) => {
    setImmediate(() => {
      handler.onHead(200, {})
      handler.onData(Buffer.from('{"inputTok'))
      begun.resolve()
    })
    return {
      pause: nothing,
      resume: nothing,
      abort: () => {
        aborts += 1
      },
    }
  }
  const path = await startFakedPath({ host: { countTokens } })
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const socket = path.send('/v1/messages/count_tokens', JSON.stringify(hello))
    const answered = once(socket, 'data')
    await begun.promise
    mock.timers.tick(2_999)
    assert.equal(aborts, 0)
    mock.timers.tick(1)
    assert.equal(aborts, 1)
    assert.match(String(await answered), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"input_tokens":\d+\}$/)
    assert.equal(
      path.ports.capabilities.verdict('main', 'anthropic.claude-sonnet-5', 'operation:count-tokens'),
      'unknown',
    )
  } finally {
    mock.timers.reset()
    path.stop()
  }
})

test('tries that are refused one after the other have three seconds together', async () => {
  const tries = [Promise.withResolvers<HostedBodyHandler>(), Promise.withResolvers<HostedBodyHandler>()]
  let asked = 0
  let aborts = 0
  const countTokens = (_call: HostedCall, handler: HostedBodyHandler) => {
    tries[asked++]?.resolve(handler)
    return {
      pause: nothing,
      resume: nothing,
      abort: () => {
        aborts += 1
      },
    }
  }
  const path = await startFakedPath({ host: { countTokens } })
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const socket = path.send('/v1/messages/count_tokens', JSON.stringify({ ...hello, brand_new: 1 }))
    const answered = once(socket, 'data')
    const first = await tries[0]?.promise
    mock.timers.tick(2_000)
    const message = 'brand_new: Extra inputs are not permitted'
    first?.onFailure({ kind: 'answered', status: 400, name: 'ValidationException', message, retryAfterSeconds: null })
    await tries[1]?.promise
    mock.timers.tick(1_000)
    assert.match(String(await answered), /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"input_tokens":\d+\}$/)
    assert.deepEqual([asked, aborts], [2, 1])
  } finally {
    mock.timers.reset()
    path.stop()
  }
})
