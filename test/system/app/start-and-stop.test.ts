import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../support/database.ts'
import { freePort } from '../../support/free-port.ts'
import { untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

async function started(environment: Record<string, string> = {}): Promise<GatewayProcess & { readonly url: string }> {
  const gateway = spawnGateway(environment)
  const url = `http://127.0.0.1:${await gateway.listening()}`
  await untilReady(url)
  return { ...gateway, url }
}

test('a wrong configuration names every mistake, one line each, and does not start', async () => {
  const wrong = {
    PROXY_PORT: 'eighty',
    LOG_FORMAT: 'xml',
    OIDC_ISSUER: 'nowhere',
    WORKERS: 'many',
    EGRESS_ALLOW: 'https://idp.corp.internal',
  }
  const gateway = spawnGateway(wrong)
  assert.equal(await gateway.exited, 78)
  for (const name of Object.keys(wrong)) assert.match(gateway.output(), new RegExp(`^ {2}${name} must`, 'm'))
})

test('an address that is not of this machine ends the start, and the line names the variable', async () => {
  const gateway = spawnGateway({ PROXY_HOST: '192.0.2.1' })
  assert.equal(await gateway.exited, 1)
  assert.match(gateway.output(), /^Causeway could not start: PROXY_HOST or PROXY_PORT .*192\.0\.2\.1/m)
})

test('SIGTERM drains and ends with 0', async () => {
  const gateway = await started()
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
  assert.match(gateway.output(), /"msg":"stopped"/)
})

test('readiness goes off at once on SIGTERM while connections are still accepted', async () => {
  const gateway = await started({ DRAIN_TIMEOUT_SECONDS: '30' })
  gateway.kill('SIGTERM')
  let status = 200
  while (status === 200) status = (await fetch(`${gateway.url}/ready`)).status
  assert.equal(status, 503)
  assert.equal((await fetch(`${gateway.url}/health`)).status, 200)
  // As some load balancers ask.
  assert.equal((await fetch(`${gateway.url}/ready`, { method: 'HEAD' })).status, 503)
  assert.equal((await fetch(`${gateway.url}/health`, { method: 'HEAD' })).status, 200)
  assert.equal(await gateway.exited, 0)
})

test('the default password is warned about, another is not', async () => {
  const careless = await started()
  assert.match(careless.output(), /ADMIN_PASSWORD is the default/)
  careless.kill('SIGTERM')
  const careful = await started({ ADMIN_PASSWORD: 'another' })
  assert.doesNotMatch(careful.output(), /ADMIN_PASSWORD/)
  careful.kill('SIGTERM')
  assert.deepEqual(await Promise.all([careless.exited, careful.exited]), [0, 0])
})

test('four instances starting at once on an empty database all come up, with one default endpoint and one session key', async () => {
  const empty = await createEmptyDatabase()
  const environment = { DATABASE_URL: empty.url, ADMIN_PASSWORD: 'shared secret' }
  const gateways = await Promise.all(Array.from({ length: 4 }, () => started(environment)))
  try {
    const [first] = gateways
    const answer = await fetch(`${first?.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'shared secret' }),
    })
    const { token } = (await answer.json()) as { token: string }
    for (const { url } of gateways) {
      const me = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(me.status, 200, 'a token of one instance is valid on all')
    }
    const created = gateways.filter(({ output }) => output().includes('the first endpoint was created'))
    assert.equal(created.length, 1)
  } finally {
    for (const gateway of gateways) gateway.kill('SIGTERM')
    assert.deepEqual(await Promise.all(gateways.map(({ exited }) => exited)), [0, 0, 0, 0])
    await empty.drop()
  }
})

test('a database that cannot work ends the start with one clear line', async () => {
  const empty = await createEmptyDatabase()
  const missing = new URL(empty.url)
  missing.pathname = '/no_such_database'
  const gateway = spawnGateway({ DATABASE_URL: missing.href })
  assert.equal(await gateway.exited, 1)
  assert.match(gateway.output(), /"level":"fatal"[^\n]*no_such_database/)
  assert.doesNotMatch(gateway.output(), new RegExp(missing.password))
  await empty.drop()
})

test('while the database is away at the start, the process lives, is not ready, and the password opens the door', async () => {
  const gateway = spawnGateway({
    DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:9/none',
    ADMIN_PASSWORD: 'break glass',
  })
  const url = `http://127.0.0.1:${await gateway.listening()}`
  assert.equal((await fetch(`${url}/health`)).status, 200)
  const ready = await fetch(`${url}/ready`)
  assert.equal(ready.status, 503)
  assert.ok(ready.headers.get('retry-after'))
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'break glass' }),
  })
  assert.equal(login.status, 200)
  const { token } = (await login.json()) as { token: string }
  assert.equal((await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status, 200)
  const key = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer sk-proxy-${'x'.repeat(43)}` } })
  assert.equal(key.status, 503, 'a key that cannot be checked is not called wrong')
  assert.doesNotMatch(gateway.output(), /:secret@/)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

test('on loopback an HTTPS listener starts with a certificate of its own that is kept', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'causeway-tls-'))
  const fingerprints: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const port = await freePort()
    const gateway = await started({ TLS_PORT: String(port), DATA_DIR: dataDir })
    fingerprints.push(await fingerprint(port))
    gateway.kill('SIGTERM')
    await gateway.exited
  }
  assert.equal(fingerprints[0], fingerprints[1])
  assert.equal((await stat(path.join(dataDir, 'tls', 'key.pem'))).mode & 0o777, 0o600)
  await rm(dataDir, { recursive: true })
})

test('a HTTPS port that cannot be had is reported and does not stop HTTP', async () => {
  const holder = await started()
  const taken = new URL(holder.url).port
  const dataDir = await mkdtemp(path.join(tmpdir(), 'causeway-tls-'))
  const gateway = await started({ TLS_PORT: taken, DATA_DIR: dataDir })
  assert.match(gateway.output(), /no HTTPS listener/)
  for (const one of [holder, gateway]) one.kill('SIGTERM')
  await Promise.all([holder.exited, gateway.exited])
  await rm(dataDir, { recursive: true })
})

test('a data directory that cannot be written stops neither the start nor HTTPS', async () => {
  const port = await freePort()
  // A file where a directory should be: not even the administrator of the machine can write under it.
  const gateway = await started({ TLS_PORT: String(port), DATA_DIR: 'package.json/data' })
  assert.match(gateway.output(), /"level":"warn"[^\n]*the self-signed certificate cannot be kept/)
  assert.match(await fingerprint(port), /^[0-9A-F:]+$/)
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

test('a certificate that does not fit its key stops the start', async () => {
  const gateway = spawnGateway({ TLS_CERT: 'package.json', TLS_KEY: 'package.json', TLS_PORT: '1' })
  assert.equal(await gateway.exited, 1)
  assert.match(gateway.output(), /TLS_CERT or TLS_KEY/)
})

test('without a database messages need a person, and the settings are the defaults', async () => {
  const gateway = await started({ ADMIN_PASSWORD: 'x' })
  const metrics = await fetch(`${gateway.url}/metrics`)
  assert.match(await metrics.text(), /^gateway_build_info\{/m)
  const providers = (await (await fetch(`${gateway.url}/auth/providers`)).json()) as object
  assert.deepEqual(providers, { providers: [], admin_login_enabled: true })
  gateway.kill('SIGTERM')
  assert.equal(await gateway.exited, 0)
})

function fingerprint(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = https.get({ port, host: '127.0.0.1', path: '/health', rejectUnauthorized: false }, (response) => {
      const socket = response.socket as import('node:tls').TLSSocket
      assert.equal(response.statusCode, 200)
      assert.equal(socket.alpnProtocol, false)
      resolve(socket.getPeerCertificate().fingerprint256)
      response.resume()
    })
    request.on('error', reject)
  })
}
