import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { type FakedPath, giveBody, startFakedPath } from './faked-path.ts'
import { hello, post } from './path-client.ts'

const COUNT = '/v1/messages/count_tokens'
const nothing = (): void => undefined

/** The first count is refused with these words, all others are answered. */
async function startRefusing(status: number, name: string, message: string) {
  let asked = 0
  const countTokens = (_call: HostedCall, handler: AnswerHandler) => {
    asked += 1
    const isFirst = asked === 1
    setImmediate(() => {
      if (isFirst) return handler.onFailure({ kind: 'answered', status, name, message, retryAfterSeconds: null })
      handler.onHead(200, {})
      giveBody(handler, Buffer.from('{"inputTokens":4242}'))
      handler.onEnd()
    })
    return { pause: nothing, resume: nothing, abort: nothing }
  }
  return { path: await startFakedPath({ host: { countTokens } }), asked: () => asked }
}

async function count(path: FakedPath, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await post(path, 'any', hello, { path: COUNT, headers })
  assert.equal(response.status, 200)
  return ((await response.json()) as { readonly input_tokens: number }).input_tokens
}

for (const [what, status, name, message, headers] of [
  ['expired credentials', 403, 'ExpiredTokenException', 'The security token included in the request is expired', {}],
  [
    'a beta that one client sent',
    400,
    'ValidationException',
    'The model returned the following errors: invalid beta flag',
    { 'anthropic-beta': 'my-own-beta-2026-11-01' },
  ],
] as const)
  test(`${what} costs one more try and no count its number`, async () => {
    const { path, asked } = await startRefusing(status, name, message)
    try {
      assert.deepEqual([await count(path, headers), await count(path, headers), await count(path)], [4242, 4242, 4242])
      assert.equal(asked(), 4)
    } finally {
      path.stop()
    }
  })

for (const [what, status, name, message] of [
  ['a prompt beyond the window', 400, 'ValidationException', 'prompt is too long: 206456 tokens > 200000 maximum'],
  [
    'one bad message, passed on by the model',
    400,
    'ValidationException',
    'The model returned the following errors: messages.0.content: Input should be a valid list',
  ],
] as const)
  test(`${what} costs one count its number and leaves the counter to all others`, async () => {
    const { path, asked } = await startRefusing(status, name, message)
    try {
      assert.notEqual(await count(path), 4242)
      assert.deepEqual([await count(path), await count(path)], [4242, 4242])
      assert.equal(asked(), 3)
    } finally {
      path.stop()
    }
  })

test('a model that cannot be counted is asked for once', async () => {
  const words = "The provided model doesn't support counting tokens."
  const { path, asked } = await startRefusing(400, 'ValidationException', words)
  try {
    for (let time = 0; time < 3; time += 1) assert.notEqual(await count(path), 4242)
    assert.equal(asked(), 1)
  } finally {
    path.stop()
  }
})
