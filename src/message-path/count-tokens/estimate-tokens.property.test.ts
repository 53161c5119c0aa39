import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { estimateInputTokens } from './estimate-tokens.ts'
import { makeTools, userSays } from './sample-bodies.fixture.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('the ', 'Übung', 'camelCase', "don't", '\n', '\t', '  ', '});', '中文', '42', '-----', '"', '\\'),
    )
    .map((parts) => parts.join('')),
)

const estimate = (body: unknown, indent?: number): number =>
  estimateInputTokens(Buffer.from(JSON.stringify(body, undefined, indent)))

function inReverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReverse)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, inReverse(member)]),
  )
}

const anyBody = fc.record({
  system: fc.oneof(anyText, fc.array(fc.record({ type: fc.constant('text'), text: anyText }), { maxLength: 3 })),
  messages: fc.array(
    fc.record({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(
        anyText,
        fc.array(
          fc.oneof(
            fc.record({ type: fc.constant('text'), text: anyText }),
            fc.record({ type: fc.constant('tool_result'), tool_use_id: fc.uuid(), content: anyText }),
            fc.record({ type: fc.constant('tool_use'), id: fc.uuid(), name: fc.constant('Edit'), input: fc.object() }),
            fc.record({
              type: fc.constantFrom('image', 'document'),
              source: fc.record({ type: fc.constantFrom('base64', 'text'), data: fc.base64String() }),
            }),
          ),
          { maxLength: 4 },
        ),
      ),
    }),
    { maxLength: 5 },
  ),
  tools: fc.nat({ max: 3 }).map(makeTools),
})

test('more text never costs less', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, more) => {
      assert.ok(estimate(userSays(text + more)) >= estimate(userSays(text)))
    }),
  )
})

test('one more message never costs less, and costs its own estimate', () => {
  fc.assert(
    fc.property(anyBody, anyText, (body, text) => {
      const message = { role: 'user', content: text }
      const longer = estimate({ ...body, messages: [...body.messages, message] })
      assert.ok(Math.abs(longer - estimate(body) - estimate({ messages: [message] })) <= 1)
    }),
  )
})

test('white space between JSON tokens and the order of keys do not matter', () => {
  fc.assert(
    fc.property(anyBody, (body) => {
      const compact = estimate(body)
      assert.equal(estimate(body, 2), compact)
      assert.equal(estimate(inReverse(body)), compact)
    }),
  )
})

test('any bytes give a number between nothing and a few tokens per byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
      const body = Buffer.concat([Buffer.from('{"messages":[{"content":"'), bytes, Buffer.from('"}]}')])
      const tokens = estimateInputTokens(body)
      assert.ok(Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= 10 + 4 * bytes.length, String(tokens))
    }),
  )
})
