import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { problem } from '../../foundation/domain/errors.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { cleanProviderText } from '../../foundation/domain/provider-words.ts'
import { problemToBedrockError, toBedrockError } from './to-bedrock-error.ts'
import { errorEvent, toMessagesError } from './to-messages-error.ts'

function answered(status: number, message: string, name = ''): ProviderFailure {
  return { kind: 'answered', status, name, message, retryAfterSeconds: null }
}

test('an error in the middle of a stream is one event that cannot be split by its message', () => {
  const text = errorEvent(answered(503, 'a\n\nevent: message_stop\ndata: {}'), 'req_1').toString()
  assert.match(text, /^event: error\ndata: [^\n]+\n\n$/)
  const body = JSON.parse(text.slice(text.indexOf('{')))
  assert.equal(body.type, 'error')
  assert.equal(body.error.type, 'api_error')
  assert.equal(body.request_id, 'req_1')
})

test('the code tells an error of the hosted service from one on the way to it', () => {
  const readCode = (kind: ProviderFailure['kind']): string => {
    const text = errorEvent({ ...answered(502, 'x'), kind }, 'req_1').toString()
    return JSON.parse(text.slice(text.indexOf('{'))).error.code
  }
  assert.deepEqual(
    [readCode('answered'), readCode('unreachable'), readCode('broken')],
    ['upstream_error', 'upstream_unreachable', 'upstream_broken'],
  )
  const page = readFileSync('docs/errors.md', 'utf8')
  for (const kind of ['answered', 'unreachable', 'broken', 'credentials'] as const)
    assert.ok(page.includes(`\`${readCode(kind)}\``), kind)
})

test('accounts and ARNs of every partition are removed, other numbers stay', () => {
  assert.equal(
    cleanProviderText(
      'x arn:aws-cn:iam::210987654321:role/a/b, "arn:aws:bedrock:eu-west-1::foundation-model/m" 210987654321.',
    ),
    'x [arn], "[arn]" [account].',
  )
  assert.equal(
    cleanProviderText('1234567890123 tokens, 12345678901, 0.123456789012'),
    '1234567890123 tokens, 12345678901, 0.123456789012',
  )
})

test('a status that is none becomes 502', () => {
  for (const status of [0, 200, 302, 999, Number.NaN]) assert.equal(toMessagesError(answered(status, 'x')).status, 502)
})

test('retry-after is whole seconds, and nothing when it makes no sense', () => {
  const after = (seconds: number | null) =>
    toMessagesError({ ...answered(429, 'x'), retryAfterSeconds: seconds }).headers
  assert.deepEqual(after(0.2), { 'retry-after': '1' })
  assert.deepEqual(after(30), { 'retry-after': '30' })
  for (const odd of [null, -1, Number.NaN, Number.POSITIVE_INFINITY]) assert.deepEqual(after(odd), {})
})

test('an exception name that is no word does not become a header', () => {
  assert.equal(toBedrockError(answered(400, 'x', 'A\r\nx: y')).headers['x-amzn-errortype'], 'ValidationException')
})

test('refusals of the gateway have the hosted form too', () => {
  const refused = problem('rate_limited', { limit: 5, seconds: 9 }, { headers: { 'retry-after': '9' } })
  const { status, headers, body } = problemToBedrockError(refused)
  assert.equal(status, 429)
  assert.deepEqual(headers, { 'retry-after': '9', 'x-amzn-errortype': 'ThrottlingException' })
  assert.deepEqual(JSON.parse(body), { message: refused.message })
})
