/** The security page of a whole gateway: it goes by the real configuration, and nothing of its secrets is in the answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addKey, login, startGateway } from '../support/gateway.ts'

const secrets = {
  ADMIN_PASSWORD: 'correct horse battery staple',
  SECRET_KEY: 'canary-of-the-sealing-key-0123456789',
  METRICS_TOKEN: 'canary-of-the-metrics',
  AWS_BEARER_TOKEN_BEDROCK: 'canary-of-bedrock',
  BUDGET_NOTIFICATION_URL: 'https://hooks.example.com/services/canary-of-the-hook?token=canary-of-the-query',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://canary-of-otel:canary-of-otel@127.0.0.1:9/canary-of-the-path',
}

interface Check {
  readonly id: string
  readonly state: string
  readonly found: string
}

async function read(url: string, token: string) {
  const response = await fetch(`${url}/admin/security`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  const text = await response.text()
  const body = JSON.parse(text) as { checks: Check[]; reached: { address: string }[]; kept: unknown[] }
  const states = Object.fromEntries(body.checks.map(({ id, state }) => [id, state]))
  return { text, body, states }
}

test('a gateway with every kind of secret tells how it is set up, and none of them', async () => {
  const gateway = await startGateway({ env: secrets })
  try {
    const token = await login(gateway.url)
    const { key } = await addKey(gateway.database as NonNullable<typeof gateway.database>)
    const authorization = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const provider = {
      name: 'Example',
      issuer_url: 'https://login.example.com/tenant',
      audience: 'gateway',
      client_id: 'portal',
      client_secret: 'canary-of-the-client',
    }
    const made = await fetch(`${gateway.url}/admin/idps`, {
      method: 'POST',
      headers: authorization,
      body: JSON.stringify(provider),
    })
    assert.equal(made.status, 201)
    const { text, body, states } = await read(gateway.url, token)
    assert.doesNotMatch(text, /canary|correct horse/)
    for (const secret of [key, token, gateway.simulator.secretKey, gateway.simulator.accessKey])
      assert.ok(!text.includes(secret))
    assert.deepEqual(
      [states['admin_password'], states['secret_key'], states['metrics'], states['cloud_credentials']],
      ['good', 'good', 'good', 'attention'],
    )
    // What tests may call inside stands in their environment.
    assert.equal(states['inner_hosts'], 'attention')
    assert.equal(states['keys_without_end'], 'attention')
    const addresses = body.reached.map(({ address }) => address)
    for (const address of ['https://hooks.example.com', 'https://login.example.com', 'http://127.0.0.1:9'])
      assert.ok(addresses.includes(address), `${address} of ${addresses.join()}`)
    assert.ok(
      addresses.includes(gateway.simulator.url.replace(/\/$/, '')),
      'the models are where AWS_ENDPOINT_URL says',
    )
  } finally {
    await gateway.stop()
  }
})

test('a gateway without a database, with the default password and an access key that never ends, says all three', async () => {
  const gateway = await startGateway({ database: 'none', env: { ADMIN_PASSWORD: 'admin', RUST_LOG: 'debug' } })
  try {
    const response = await fetch(`${gateway.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'admin' }),
    })
    const { token } = (await response.json()) as { token: string }
    const { body, states } = await read(gateway.url, token)
    assert.deepEqual(
      ['admin_password', 'prompts_in_log', 'audit_retention', 'unused_keys'].map((id) => states[id]),
      ['bad', 'bad', 'attention', 'unknown'],
    )
    assert.equal(states['cloud_credentials'], 'attention', 'the credentials of the environment have no end')
    assert.equal(body.kept.length, 2)
  } finally {
    await gateway.stop()
  }
})
