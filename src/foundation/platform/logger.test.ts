import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainTextLine, textLine } from './log-text.ts'
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

test('text that is full of beginnings of credentials is logged', () => {
  for (const beginning of ['eyJ', 'eyJabcdefgh', '://a:', '://', 'bearer ', 'sess-', 'sk-proxy-', '@://a:']) {
    // A search that went back for every beginning would not come to an end.
    const body = beginning.repeat(4_194_304 / beginning.length)
    assert.equal(captured('json', (log) => log.debug({ body }, 'request body')).length, 1)
  }
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

test('a line written directly is the one that comes by way of JSON', () => {
  const time = '2026-01-01T00:00:00.000Z'
  for (const fields of [
    { id: 'req_1', status: 200, ms: 1.5, caller: 'key sk-proxy-abcdefg' },
    { text: 'quote " backslash \\ break \n end', empty: '', unicode: '\u00e9\u2028\ud800' },
    {},
  ]) {
    const json = JSON.stringify({ level: 'info', time, ...fields, msg: 'two\twords' })
    assert.equal(plainTextLine(time, 'info', fields, 'two\twords'), textLine(json))
  }
})

test('what is not plain takes the way through JSON', () => {
  for (const value of [undefined, null, Number.NaN, true, {}, [], new Error('x'), () => 1])
    assert.equal(plainTextLine('now', 'info', { value }, 'x'), undefined)
  assert.equal(plainTextLine('now', 'info', { msg: 'second message' }, 'x'), undefined)
})

test('text lines carry errors, fields of child loggers and no credentials', () => {
  const key = `sk-proxy-${'A1b2C3d4'.repeat(5)}abc`
  const lines = captured('text', (log) => {
    log.error(new Error('first'), 'given alone')
    log.error({ err: new Error('second') }, 'given by name')
    log.child({ endpoint: 'e1' }).info({ status: 200 }, 'of a child')
    log.info({ note: `key ${key}` }, `Bearer ${key}`)
    log.info('only words')
  })
  assert.match(lines[0] ?? '', /ERROR given alone error=Error reason="first"/)
  assert.match(lines[1] ?? '', /ERROR given by name error=Error reason="second"/)
  assert.match(lines[2] ?? '', /INFO {2}of a child endpoint=e1 status=200\n$/)
  assert.doesNotMatch(lines[3] ?? '', /C3d4A1b2/)
  assert.match(lines[4] ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO {2}only words\n$/)
})
