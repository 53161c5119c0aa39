import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogging } from './logger.ts'
import { Secret } from './secret.ts'

function captured(format: 'text' | 'json', act: (log: ReturnType<typeof createLogging>['log']) => void): string[] {
  const lines: string[] = []
  act(createLogging({ level: 'debug', format, write: (line) => lines.push(line) }).log)
  return lines
}

test('a JSON line parses and carries level, time and fields', () => {
  const [line] = captured('json', (log) => log.info({ route: '/v1/messages', status: 200 }, 'request'))
  const entry = JSON.parse(line ?? '')
  assert.equal(entry.level, 'info')
  assert.equal(entry.status, 200)
  assert.match(entry.time, /^\d{4}-\d\d-\d\dT.*Z$/)
})

test('credentials that reach a line are cut out of it', () => {
  const key = `sk-proxy-${'A1b2C3d4'.repeat(5)}abc`
  const lines = captured('json', (log) => {
    log.info({ note: `key ${key}` }, `Bearer ${key}`)
    log.warn({ note: 'Authorization: Bearer canary-token-123' }, 'sess-abcdefghijklmnop.qrstuv')
    log.warn({ note: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl' }, 'postgres://user:canary@host/db')
    log.warn({ secret: new Secret('canary') }, 'kept secret')
  })
  const all = lines.join('')
  assert.doesNotMatch(all, /canary|c2lnbmF0|ghijklmnop|C3d4A1b2/)
  for (const line of lines) JSON.parse(line)
})

test('errors show what programs wrote and nothing that travelled with them', () => {
  const failure = Object.assign(new Error('connect refused'), {
    code: 'ECONNREFUSED',
    $response: { headers: { authorization: 'canary' } },
  })
  const [line] = captured('json', (log) => log.error({ err: failure }, 'failed'))
  assert.match(line ?? '', /ECONNREFUSED/)
  assert.doesNotMatch(line ?? '', /canary/)
})

test('a value cannot forge a second line or steer the terminal', () => {
  const [line] = captured('text', (log) => log.info({ agent: 'x\n2026-01-01 ERROR forged\u001b[31m' }, 'a\r\nb'))
  assert.equal(line?.split('\n').length, 2)
  assert.ok(!line?.includes('\u001b'))
})
