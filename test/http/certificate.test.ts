import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { selfSignedTlsFiles } from '../../src/foundation/http/tls.ts'
import { freePort } from '../support/free-port.ts'
import { startGateway } from '../support/gateway.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'causeway-certificate-'))
after(() => rm(folder, { recursive: true, force: true }))

const DAY_MS = 24 * 3_600_000
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** What a gateway with this folder serves, as a client that trusts exactly this certificate sees it. */
async function servedWith(dataDir: string): Promise<X509Certificate> {
  const gateway = await startGateway({
    database: 'none',
    env: { DATA_DIR: dataDir, TLS_PORT: String(await freePort()) },
  })
  try {
    const ca = await readFile(path.join(dataDir, 'tls', 'cert.pem'))
    return await new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: gateway.app.tlsPort ?? 0, servername: 'localhost', ca })
      socket.once('secureConnect', () => {
        const certificate = socket.getPeerX509Certificate()
        socket.end()
        if (certificate === undefined) reject(new Error('the gateway served no certificate'))
        else resolve(certificate)
      })
      socket.once('error', reject)
    })
  } finally {
    await gateway.stop()
  }
}

function assertAccepted(certificate: X509Certificate): void {
  assert.match(certificate.signatureAlgorithm ?? '', /sha256/i)
  assert.deepEqual(certificate.keyUsage, [SERVER_AUTH])
  const validMs = certificate.validToDate.getTime() - certificate.validFromDate.getTime() + 1000
  assert.equal(validMs, 825 * DAY_MS, 'both ends belong to the validity')
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
}

interface Wishes {
  readonly algorithm?: 'sha1' | 'sha256'
  readonly validDays?: number
  readonly serverAuth?: boolean
}

async function keep(dataDir: string, { algorithm = 'sha256', validDays = 800, serverAuth = true }: Wishes) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm,
    notBeforeDate: new Date(),
    notAfterDate: new Date(Date.now() + validDays * DAY_MS),
    extensions: [
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ...(serverAuth ? [{ name: 'extKeyUsage' as const, serverAuth: true }] : []),
    ],
  })
  await mkdir(path.join(dataDir, 'tls'), { recursive: true })
  await writeFile(path.join(dataDir, 'tls', 'cert.pem'), cert)
  await writeFile(path.join(dataDir, 'tls', 'key.pem'), key)
  return cert
}

test('the certificate that is served has SHA-256, serverAuth and at most 825 days, and is kept for the next start', async () => {
  const dataDir = path.join(folder, 'fresh')
  const first = await servedWith(dataDir)
  assertAccepted(first)
  assert.equal((await servedWith(dataDir)).fingerprint256, first.fingerprint256)
})

test('a kept certificate of an earlier release is replaced', async () => {
  const dataDir = path.join(folder, 'earlier')
  const old = await keep(dataDir, { algorithm: 'sha1', serverAuth: false, validDays: 825 })
  const served = await servedWith(dataDir)
  assert.notEqual(served.fingerprint256, new X509Certificate(old).fingerprint256)
  assertAccepted(served)
})

test('each rule alone has a kept certificate replaced, also by processes that start together; a good one stays', async () => {
  const broken: Record<string, Wishes> = {
    'sha-1': { algorithm: 'sha1' },
    'no-server-auth': { serverAuth: false },
    'too-long': { validDays: 826 },
  }
  const unexpected = (error: unknown): void => assert.fail(String(error))
  const start = (dataDir: string) => selfSignedTlsFiles(dataDir, ['localhost', '127.0.0.1'], Date.now(), unexpected)
  for (const [name, wishes] of Object.entries(broken)) {
    const dataDir = path.join(folder, name)
    await keep(dataDir, wishes)
    const pairs = await Promise.all(Array.from({ length: 4 }, () => start(dataDir)))
    assertAccepted(new X509Certificate(pairs[0]?.cert ?? ''))
    assert.equal(new Set(pairs.map(({ cert }) => cert)).size, 1, name)
  }
  const dataDir = path.join(folder, 'good')
  const kept = await keep(dataDir, {})
  assert.equal((await start(dataDir)).cert, kept)
})
