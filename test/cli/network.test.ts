/** Commands on their way to a gateway: proxies, and certificates that this machine does not trust. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'causeway-network-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['cli/main.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, CAUSEWAY_TOKEN: 'sess-x', ...env },
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, out, err }
}

async function listening(server: Server, work: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    server.close()
  }
}

const asked: string[] = []
const gateway: RequestListener = (request, response) => {
  asked.push(request.url ?? '')
  const document = request.url?.endsWith('/health') ? { status: 'ok', version: '1.0.0' } : { role: 'member' }
  response.setHeader('request-id', 'req_1').setHeader('connection', 'close').end(JSON.stringify(document))
}

test('calls go through the proxy of the environment, with a scheme or without, and the doctor sees the same way', async () => {
  await listening(createServer(gateway), async (port) => {
    const named = { CAUSEWAY_URL: 'http://gateway.example.com' }
    for (const proxy of [`http://127.0.0.1:${port}`, `127.0.0.1:${port}`]) {
      const { code, err } = await run(['whoami', '--allow-http'], { ...named, HTTP_PROXY: proxy })
      assert.equal(code, 0, err)
      assert.equal(asked.pop(), 'http://gateway.example.com/auth/me')
    }
    const { out } = await run(['doctor', '--allow-http'], { ...named, HTTP_PROXY: `http://127.0.0.1:${port}` })
    assert.match(out, /^pass\treach\t/)
  })
})

test('a gateway on this machine is asked directly', async () => {
  await listening(createServer(gateway), async (port) => {
    const { code, err } = await run(['whoami'], {
      CAUSEWAY_URL: `http://127.0.0.1:${port}`,
      HTTP_PROXY: 'http://proxy.invalid:3128',
    })
    assert.equal(code, 0, err)
    assert.equal(asked.pop(), '/auth/me')
  })
})

test('a proxy that is away, or is none, is named', async () => {
  const env = { CAUSEWAY_URL: 'https://gateway.example.com' }
  const away = await run(['whoami'], { ...env, HTTPS_PROXY: 'http://proxy.invalid:3128' })
  assert.equal(away.code, 7)
  assert.match(away.err, /next .*the proxy in HTTPS_PROXY/)
  const wrong = await run(['whoami'], { ...env, HTTPS_PROXY: 'http://:::' })
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /the proxy of HTTPS_PROXY cannot be used/)
})

test('a certificate of an authority that is not known, or for another name, is told with the way to mend it', async () => {
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const made = (name: string, issuer: string | undefined, ...extensions: string[]) =>
    openssl(
      ...['req', '-x509', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`],
      ...(issuer === undefined ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]),
      ...extensions.flatMap((one) => ['-addext', one]),
    )
  made('root', undefined)
  made('between', 'root', 'basicConstraints=critical,CA:TRUE')
  made('leaf', 'between', 'subjectAltName=DNS:localhost', 'basicConstraints=critical,CA:FALSE')
  const read = (name: string) => readFileSync(file(name))
  const server = createTlsServer(
    { key: read('leaf.key'), cert: [read('leaf.pem'), read('between.pem')].join('') },
    gateway,
  )
  await listening(server, async (port) => {
    const CAUSEWAY_URL = `https://localhost:${port}`
    const unknown = await run(['whoami'], { CAUSEWAY_URL })
    assert.equal(unknown.code, 7)
    assert.match(
      unknown.err,
      /its certificate is not trusted\n {2}next {5}set NODE_EXTRA_CA_CERTS .*NODE_USE_SYSTEM_CA=1/,
    )
    const trusted = await run(['whoami'], { CAUSEWAY_URL, NODE_EXTRA_CA_CERTS: file('root.pem') })
    assert.equal(trusted.code, 0, trusted.err)
    const renamed = await run(['whoami'], {
      CAUSEWAY_URL: `https://127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: file('root.pem'),
    })
    assert.match(renamed.err, /its certificate is for another name/)
  })
  await listening(createServer(gateway), async (port) => {
    const { err } = await run(['whoami'], { CAUSEWAY_URL: `https://127.0.0.1:${port}` })
    assert.match(err, /it does not speak TLS\n {2}next .*http:\/\//)
  })
})
