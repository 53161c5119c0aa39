import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedLines } from './changed-lines.ts'

const secret = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'

test('lines that come and go are told, others are not', () => {
  assert.deepEqual(changedLines('{\n  "a": 1,\n  "b": 2\n}\n', '{\n  "a": 1,\n  "b": 3\n}\n'), ['- "b": 2', '+ "b": 3'])
  assert.deepEqual(changedLines('{}\n', '{}\n'), [])
})

test('a secret is shown by its beginning, on lines that go and on lines that come', () => {
  assert.deepEqual(changedLines(`{\n"ANTHROPIC_API_KEY": "${secret}"\n}`, `{\n"ANTHROPIC_AUTH_TOKEN":"${secret}"\n}`), [
    '- "ANTHROPIC_API_KEY": "sk-ant-api03…"',
    '+ "ANTHROPIC_AUTH_TOKEN":"sk-ant-api03…"',
  ])
})

test('no secret of a file on one line is told, whatever its name looks like; everything else is', () => {
  const secrets = {
    ANTHROPIC_API_KEY: secret,
    github_token: secret,
    Client_Secret: secret,
    apiKey: secret,
    DB_PASSWORD: secret,
    AWS_BEARER_TOKEN_BEDROCK: secret,
    ANTHROPIC_CUSTOM_HEADERS: `x-key: ${secret}`,
    'QUOTED \\ "KEY': `"\\${secret}`,
  }
  const plain = { model: 'opus', ':': ':', apiKeyHelper: '/opt/bin/print-a-token', MAX_THINKING_TOKENS: '31999', n: 1 }
  const [gone = ''] = changedLines(JSON.stringify({ ...plain, env: secrets, list: ['KEY', 'x'] }), '{}')
  assert.equal(gone.includes('456789'), false, gone)
  for (const name of Object.keys(secrets)) assert.ok(gone.includes(`${JSON.stringify(name)}:"`), name)
  assert.ok(gone.includes(JSON.stringify(plain).slice(1, -1)), gone)
  assert.ok(gone.includes('"list":["KEY","x"]'), gone)
})

test('a name with escapes and a value on the next line hide nothing less', () => {
  assert.deepEqual(changedLines(`{"API\\u005fKEY" :\n  "${secret}"}`, '{}').slice(0, 2), [
    '- {"API\\u005fKEY" :',
    '- "sk-ant-api03…"}',
  ])
})

test('of a short secret no more than a quarter is told', () => {
  assert.deepEqual(changedLines('{"A_KEY": "hunter2"}', ''), ['- {"A_KEY": "h…"}'])
  assert.deepEqual(changedLines('{"A_KEY": ""}', ''), ['- {"A_KEY": "…"}'])
})
