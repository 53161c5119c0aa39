import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalQuery, encodeUriLabel, sha256OfPieces, signatureHeaderLines } from './sigv4.ts'

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const scope = { region: 'us-east-1', service: 'bedrock' }
const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5)
const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd1234'
const request = {
  method: 'POST',
  host: 'bedrock-runtime.us-east-1.amazonaws.com',
  path: `/model/${encodeUriLabel(arn)}/invoke`,
  query: '',
  contentType: 'application/json',
  payloadSha256: sha256OfPieces([Buffer.from('{}')]),
}

test('signs an ARN path as the vendor client does, encoding it twice', () => {
  const lines = signatureHeaderLines(request, scope, credentials, nowMs)
  assert.match(lines, /^x-amz-date: 20260102T030405Z\r\n/)
  assert.match(
    lines,
    /SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=4cf9998e37dcfd54b8399fabc4b698f86e3aee2b3fad146f1c23db15288c9a14\r\n$/,
  )
})

test('a second call with the remembered key gives the same signature, and the next day another', () => {
  const first = signatureHeaderLines(request, scope, credentials, nowMs)
  assert.equal(signatureHeaderLines(request, scope, credentials, nowMs), first)
  const nextDay = signatureHeaderLines(request, scope, credentials, nowMs + 86_400_000)
  assert.match(nextDay, /Credential=AKIDEXAMPLE\/20260103\//)
  assert.equal(nextDay, signatureHeaderLines(request, scope, { ...credentials }, nowMs + 86_400_000))
  assert.equal(signatureHeaderLines(request, scope, credentials, nowMs), first)
})

test('keys of two regions and of two credentials are not mixed up', () => {
  const other = { ...credentials, secretAccessKey: 'another' }
  const signatures = [
    signatureHeaderLines(request, scope, credentials, nowMs),
    signatureHeaderLines(request, { ...scope, region: 'eu-west-1' }, credentials, nowMs),
    signatureHeaderLines(request, { ...scope, service: 'servicequotas' }, credentials, nowMs),
    signatureHeaderLines(request, scope, other, nowMs),
  ].map((lines) => /Signature=(\w+)/.exec(lines)?.[1])
  assert.equal(new Set(signatures).size, 4)
})

test('the hash of a body does not depend on how it is cut into pieces', () => {
  const whole = Buffer.from('{"max_tokens":1,"messages":[]}')
  assert.equal(sha256OfPieces([whole.subarray(0, 7), whole.subarray(7)]), sha256OfPieces([whole]))
  assert.equal(sha256OfPieces([]), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('a large body in many pieces has the hash of the whole', () => {
  for (const size of [32_767, 32_768, 32_769, 200_000]) {
    const whole = Buffer.alloc(size, 'body ')
    const pieces = [whole.subarray(0, 30_000), whole.subarray(30_000, 32_000), whole.subarray(32_000)]
    assert.equal(sha256OfPieces(pieces), createHash('sha256').update(whole).digest('hex'), String(size))
  }
})

test('a session token goes along in a line of its own, and none is sent without one', () => {
  const lines = signatureHeaderLines(request, scope, { ...credentials, sessionToken: 'token+/=' }, nowMs)
  assert.match(lines, /\r\nx-amz-security-token: token\+\/=\r\nauthorization: /)
  assert.match(lines, /SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/)
  assert.doesNotMatch(signatureHeaderLines(request, scope, credentials, nowMs), /security-token/)
})

test('query parameters are encoded and sorted', () => {
  assert.equal(
    canonicalQuery({ type: 'A B', maxResults: '10', nextToken: 'a/b=' }),
    'maxResults=10&nextToken=a%2Fb%3D&type=A%20B',
  )
})
