/** The setup script on a machine whose home is a checkout, and on one whose authorities are its own. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts'
import { asAdmin, startLoginGateway } from '../../sign-in/login-app.ts'
import { makeHome, runScript } from '../../sign-in/run-script.ts'
import { freePort } from '../../support/free-port.ts'
import type { TestGateway } from '../../support/gateway.ts'

let simulator: Simulator
let gateway: TestGateway
let script = ''
let key = ''
const dataDir = mkdtempSync(join(tmpdir(), 'causeway-tls-'))
const certificate = join(dataDir, 'tls/cert.pem')

before(async () => {
  simulator = await startSimulator()
  const port = await freePort()
  gateway = await startLoginGateway({
    simulator,
    env: { TLS_PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: `https://localhost:${port}` },
  })
  script = await (await fetch(`${gateway.url}/setup`)).text()
  key = ((await (await asAdmin(gateway, 'POST', '/admin/keys', { name: 'trial' })).json()) as { key: string }).key
})

after(async () => {
  await gateway.stop()
  await simulator.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function withHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = makeHome()
  try {
    await work(home.path)
  } finally {
    home.remove()
  }
}

test('what is kept to undo a change is never committed, with a key and with the helper', async () => {
  for (const args of [['--key', '--no-test'], ['--no-login']])
    await withHome(async (home) => {
      const git = (...words: string[]) =>
        execFileSync('git', ['-C', home, ...words], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: home },
        })
      git('init', '--quiet')
      const status = () => git('status', '--porcelain', '--untracked-files=all')
      for (const round of [1, 2]) {
        const run = await runScript('sh', script, home, args, { CAUSEWAY_KEY: key })
        assert.equal(run.code, 0, run.stderr)
        assert.equal(status(), '?? .claude/settings.json\n', `round ${round}`)
        rmSync(join(home, '.claude/causeway/.gitignore'))
      }
      assert.equal((await runScript('sh', script, home, ['--remove'])).code, 0)
      assert.equal(status(), '')
    })
})

test('the test request trusts whom the helper trusts', async () => {
  const other = join(dataDir, 'other.pem')
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=other'],
      ...['-keyout', join(dataDir, 'other.key'), '-out', other],
    ],
    { stdio: 'ignore' },
  )
  const machines: readonly Readonly<Record<string, string>>[] = [
    { NODE_EXTRA_CA_CERTS: certificate },
    { CAUSEWAY_CACERT: certificate },
    // The machine knows the gateway's authority; the variable names one that the client needs elsewhere.
    { CURL_CA_BUNDLE: certificate, NODE_EXTRA_CA_CERTS: other },
  ]
  for (const env of machines)
    await withHome(async (home) => {
      const run = await runScript('sh', script, home, ['--key'], { CAUSEWAY_KEY: key, ...env })
      assert.match(run.stdout, /Test {9}claude-haiku\S+ answered/, `${Object.keys(env)}: ${run.stdout}`)
    })
  await withHome(async (home) => {
    const run = await runScript('sh', script, home, ['--key'], { CAUSEWAY_KEY: key, NODE_EXTRA_CA_CERTS: other })
    assert.doesNotMatch(run.stdout, /answered/)
  })
})
