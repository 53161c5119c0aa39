import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { connectionFrom, describeTransport } from './connection-options.ts'
import { DatabaseSetupError } from './store-errors.ts'

async function createTls(query: string): Promise<{ ssl: unknown; mayFallBackToPlain: boolean; url: string }> {
  const { config, mayFallBackToPlain } = await connectionFrom({
    kind: 'url',
    url: `postgres://u:p@db:5433/name${query}`,
  })
  return { ssl: config.ssl, mayFallBackToPlain, url: String(config.connectionString) }
}

test('without sslmode TLS is tried first and may be given up', async () => {
  for (const query of ['', '?sslmode=prefer']) {
    const { ssl, mayFallBackToPlain } = await createTls(query)
    assert.deepEqual(ssl, { rejectUnauthorized: false })
    assert.equal(mayFallBackToPlain, true)
  }
})

test('sslmode decides about TLS as libpq does', async () => {
  assert.equal((await createTls('?sslmode=disable')).ssl, false)
  assert.deepEqual((await createTls('?sslmode=require')).ssl, { rejectUnauthorized: false })
  assert.deepEqual((await createTls('?sslmode=verify-full')).ssl, {})
  const chainOnly = (await createTls('?sslmode=verify-ca')).ssl as ConnectionOptions
  assert.equal(chainOnly.rejectUnauthorized, undefined)
  assert.equal(chainOnly.checkServerIdentity?.('db', {} as never), undefined)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.equal((await createTls(`?sslmode=${mode}`)).mayFallBackToPlain, false)
})

test('how the bytes travel follows from it', async () => {
  const cases = {
    disable: 'plain',
    prefer: 'unverified',
    require: 'unverified',
    'no-verify': 'unverified',
    'verify-ca': 'verified',
    'verify-full': 'verified',
  }
  for (const [mode, transport] of Object.entries(cases)) {
    const { config } = await connectionFrom({ kind: 'url', url: `postgres://u:p@db/name?sslmode=${mode}` })
    assert.equal(describeTransport(config.ssl), transport, mode)
  }
})

test('pg never sees the TLS parameters of the URL, and sees all others', async () => {
  const { url } = await createTls('?sslmode=require&application_name=x')
  assert.equal(url, 'postgres://u:p@db:5433/name?application_name=x')
})

test('a wrong sslmode or an unreadable certificate is a mistake in the set-up', async () => {
  await assert.rejects(createTls('?sslmode=maybe'), DatabaseSetupError)
  await assert.rejects(
    createTls('?sslmode=verify-full&sslrootcert=/no/such/file'),
    (error) => error instanceof DatabaseSetupError && error.message.includes('/no/such/file'),
  )
  await assert.rejects(connectionFrom({ kind: 'url', url: 'not a url' }), DatabaseSetupError)
})

test('a unix socket has no TLS', async () => {
  const urls = [
    'postgres://u@/name?host=/run/postgresql',
    'postgresql:///name?host=/run/postgresql&user=u',
    'postgres://u@%2Frun%2Fpostgresql/name',
  ]
  for (const url of urls) {
    const { config, mayFallBackToPlain } = await connectionFrom({ kind: 'url', url })
    assert.deepEqual([config.ssl, mayFallBackToPlain], [false, false])
    assert.equal(new pg.Client(config).host, '/run/postgresql')
  }
})

test('an IAM token is never sent without TLS, and needs a region', async () => {
  const parts = { kind: 'parts', host: 'db', port: 5432, name: 'n', user: 'u', rdsIamAuth: true } as const
  const { config, mayFallBackToPlain } = await connectionFrom({ ...parts, region: 'eu-west-1' })
  assert.equal(typeof config.password, 'function')
  assert.deepEqual([config.ssl, mayFallBackToPlain], [{ rejectUnauthorized: false }, false])
  await assert.rejects(connectionFrom(parts), DatabaseSetupError)
})
