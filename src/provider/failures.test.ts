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
  for (const body of [{ type: 'error', error, request_id: 'req_1' }, { error: words }, { message: words, error: 'x' }])
    assert.equal(failure(400, {}, JSON.stringify(body)).message, words)
  for (const error of [null, [], { message: 5 }, 7])
    assert.equal(failure(400, {}, JSON.stringify({ error })).message, '')
})

test('a page of a load balancer becomes its words, and the status decides', () => {
  const page =
    '<html><head><title>502 Bad Gateway</title><style>b{}</style></head><body><h1>502</h1> nginx </body></html>'
  const { kind, status, name, message } = failure(502, {}, page)
  assert.deepEqual([kind, status, name, message], ['answered', 502, '', '502 Bad Gateway 502 nginx'])
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
