import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CliError } from '../terminal/cli-error.ts'
import type { ConfigFile } from './config-file.ts'
import { decideConnection } from './connection.ts'

const file: ConfigFile = {
  current: 'work',
  profiles: {
    work: { url: 'https://work.example.com', token: 'sess-work' },
    home: { url: 'http://127.0.0.1:8080', token: 'sess-home' },
  },
}

test('flag, then environment, then profile; the token of a profile goes only to its own gateway', () => {
  const decide = (values: object, environment: Record<string, string>) => {
    const { url, token } = decideConnection(values, environment, file)
    return [url, token]
  }
  assert.deepEqual(decide({}, {}), ['https://work.example.com', 'sess-work'])
  assert.deepEqual(decide({}, { CAUSEWAY_PROFILE: 'home' }), ['http://127.0.0.1:8080', 'sess-home'])
  assert.deepEqual(decide({ profile: 'work' }, { CAUSEWAY_PROFILE: 'home' }), ['https://work.example.com', 'sess-work'])
  assert.deepEqual(decide({}, { CAUSEWAY_URL: 'https://other.example.com' }), ['https://other.example.com', undefined])
  assert.deepEqual(decide({ url: 'https://work.example.com/' }, {}), ['https://work.example.com', 'sess-work'])
  assert.deepEqual(decide({}, { CAUSEWAY_TOKEN: 'sess-x' }), ['https://work.example.com', 'sess-x'])
})

test('a profile that is named by a flag is used, whatever the environment says', () => {
  const elsewhere = { CAUSEWAY_URL: 'https://other.example.com', CAUSEWAY_TOKEN: 'sess-other' }
  const decide = (values: object, environment = elsewhere) => {
    const { url, token } = decideConnection(values, environment, file)
    return [url, token]
  }
  assert.deepEqual(decide({ profile: 'work' }), ['https://work.example.com', 'sess-work'])
  assert.deepEqual(decide({}), ['https://other.example.com', 'sess-other'])
  const token = { CAUSEWAY_URL: '', CAUSEWAY_TOKEN: 'sess-x' }
  assert.deepEqual(decide({ profile: 'work' }, token), ['https://work.example.com', 'sess-x'])
  assert.throws(() => decide({ profile: 'nowhere' }), /there is no profile "nowhere"/)
})

test('the address of the portal is that of its gateway', () => {
  const addresses = ['', '/', '/portal', '/portal/', '/portal#/keys', '/portal/?error=x#/login']
  for (const rest of addresses)
    assert.equal(decideConnection({ url: `https://work.example.com${rest}` }, {}, file).token, 'sess-work')
  assert.deepEqual(
    addresses.map((rest) => decideConnection({ url: `https://work.example.com${rest}` }, {}, file).url),
    addresses.map(() => 'https://work.example.com'),
  )
  assert.equal(
    decideConnection({ url: 'https://work.example.com/portals' }, {}, file).url,
    'https://work.example.com/portals',
  )
})

test('what names no gateway, or an open line to another machine, is a mistake in usage', () => {
  const none: ConfigFile = { current: 'default', profiles: {} }
  const cases: readonly [object, ConfigFile][] = [
    [{}, none],
    [{ url: 'gateway' }, none],
    [{ url: 'ftp://x' }, none],
    [{ url: 'http://gateway.example.com' }, none],
    [{ profile: 'nowhere' }, file],
  ]
  for (const [values, config] of cases)
    assert.throws(
      () => decideConnection(values, {}, config),
      (error) => error instanceof CliError && error.exitCode === 2,
    )
  assert.equal(
    decideConnection({ url: 'http://gateway.example.com', allowHttp: true }, {}, none).url,
    'http://gateway.example.com',
  )
})
