/** Two people, or one in two terminals, start the demo at the same moment. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findPort } from '../../../tools/demo/free-ports.ts'
import { projectRoot } from '../../../tools/demo/program.ts'

const base = await mkdtemp(join(tmpdir(), 'causeway-demos-'))
// Under root, Postgres runs as another user and must be able to pass.
await chmod(base, 0o755)
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(base, { recursive: true, force: true })
})

interface Demo {
  readonly text: () => string
  readonly stop: () => void
  /** True once it is ready, false when it has ended before. */
  readonly ready: Promise<boolean>
  readonly exit: Promise<number | null>
}

function startDemo(folder: string, port: number): Demo {
  const child = spawn(process.execPath, ['tools/demo.ts', '--data-dir', join(base, folder), '--port', String(port)], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  let text = ''
  const ready = Promise.withResolvers<boolean>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('stop with Ctrl-C')) ready.resolve(true)
    })
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child)
    ready.resolve(false)
    return code as number | null
  })
  return { text: () => text, stop: () => void child.kill('SIGINT'), ready: ready.promise, exit }
}

/** With the address and the key that this demo has printed. */
function askFirst(text: string): Promise<Response> {
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
  const key = /sk-proxy-\w+/.exec(text)?.[0]
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

test('both run, each with its own gateway, although both wanted the same port; one folder is for one demo', async () => {
  const port = await findPort(18_900)
  const demos = [startDemo('one', port), startDemo('two', port)]
  for (const demo of demos) assert.ok(await demo.ready, demo.text())
  const addresses = demos.map((demo) => /http:\/\/127\.0\.0\.1:\d+/.exec(demo.text())?.[0])
  assert.equal(new Set(addresses).size, 2)
  const moved = demos.filter((demo) => demo.text().includes(`Port ${port} is taken, so the gateway uses ${port + 1}.`))
  assert.equal(moved.length, 1)
  for (const demo of demos) assert.equal((await askFirst(demo.text())).status, 200, 'its key belongs to its gateway')

  const third = startDemo('one', port)
  assert.equal(await third.ready, false)
  assert.equal(await third.exit, 1)
  assert.match(third.text(), /The demo is running already \(process \d+\)\.\s+Stop that one first/)

  for (const demo of demos) demo.stop()
  assert.deepEqual(await Promise.all(demos.map((demo) => demo.exit)), [0, 0])
})
