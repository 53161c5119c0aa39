import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareErrorName, failureOfAnswer, parseRetryAfterSeconds } from './failures.ts'

function failure(status: number, headers: Record<string, string>, body: string) {
  return failureOfAnswer(status, headers, Buffer.from(body))
}

test('the name comes from the error header without its address, and the message from the body', () => {
  const headers = { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/coral/', 'retry-after': '7' }
  assert.deepEqual(failure(429, headers, '{"message":"Too many tokens"}'), {
    kind: 'answered',
    status: 429,
    name: 'ThrottlingException',
    message: 'Too many tokens',
    retryAfterSeconds: 7,
  })
})

test('without the header the name comes from the body, and Message is as good as message', () => {
  const { name, message } = failure(403, {}, '{"__type":"com.amazon.coral#AccessDeniedException","Message":"no"}')
  assert.deepEqual([name, message], ['AccessDeniedException', 'no'])
})

test('an error in the Messages form keeps its words', () => {
  const words = 'prompt is too long: 206456 tokens > 200000 maximum'
  const error = { type: 'invalid_request_error', message: words }
  const own = { 'x-amzn-errortype': 'ValidationException' }
  assert.equal(failure(400, {}, JSON.stringify({ type: 'error', error, request_id: 'req_1' })).message, words)
  for (const body of [{ error: words }, { message: words, error: 'x' }])
    assert.equal(failure(400, own, JSON.stringify(body)).message, words)
  for (const error of [null, [], { message: 5 }, 7])
    assert.equal(failure(400, own, JSON.stringify({ error })).message, '')
})

test('nothing that a proxy wrote is in the message or the name, whatever form it has', () => {
  const words = 'Blocked by proxy07.corp.example (10.1.2.3), write to it@corp.example'
  const bodies = [
    `<html><body>${words}</body></html>`,
    words,
    JSON.stringify({ message: words, code: 'proxy07.corp.example' }),
    JSON.stringify({ error: words }),
    JSON.stringify({ error: { message: words } }),
    `{"message":"${words}"`,
  ]
  for (const body of bodies) {
    const { kind, status, name, message, foreignText } = failure(502, {}, body)
    assert.deepEqual([kind, status, name], ['answered', 502, ''], body)
    assert.match(
      message,
      /^Something between the gateway and Amazon Bedrock, such as a proxy, answered with status 502\./,
    )
    assert.doesNotMatch(message, /corp|10\.1/)
    assert.match(foreignText ?? '', /proxy07\.corp\.example/)
  }
  assert.equal(failure(403, { 'x-amzn-errortype': 'proxy07.corp.example' }, '').name, '')
})

test('empty, cut and odd bodies still give a failure', () => {
  for (const body of ['', '  ', '{"message":', '[]', 'null', '"text"', '{"message":{"a":1}}', '\u0000\u0001']) {
    const { kind, status, name } = failure(500, {}, body)
    assert.deepEqual([kind, status, name], ['answered', 500, ''], body)
  }
})

test('a redirect is not an answer to relay', () => {
  assert.deepEqual([failure(302, { location: 'x' }, '').kind, failure(302, {}, '').status], ['broken', 502])
})

test('retry-after counts only as whole seconds', () => {
  assert.equal(parseRetryAfterSeconds('0'), 0)
  assert.equal(parseRetryAfterSeconds('120'), 120)
  for (const text of [undefined, '', '1.5', '-1', 'Wed, 21 Oct 2026 07:28:00 GMT', '99999999999']) {
    assert.equal(parseRetryAfterSeconds(text), null)
  }
})

test('every written form of an exception name is the same name', () => {
  for (const text of [
    'ValidationException',
    'a.b#ValidationException',
    'ValidationException:http://x',
    ' ValidationException',
  ]) {
    assert.equal(bareErrorName(text), 'ValidationException')
  }
})
