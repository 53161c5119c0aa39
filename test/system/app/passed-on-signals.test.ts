/** One wish to stop that arrives twice: from a terminal or a service manager, and passed on by whoever started the gateway. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilReady } from '../../support/gateway.ts'
import { type GatewayProcess, spawnGateway } from '../../support/gateway-process.ts'

/** Without calls the whole of it is the time in which connections are still taken, and a second wish ends it. */
const DRAIN_SECONDS = 3
const LEAST_MS = DRAIN_SECONDS * 1_000 - 200

/** The launcher believes that it runs under a Node that is too old for the gateway. */
const oldNode = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })",
)}`

async function started(launcher: 'npm' | 'bin/causeway.js', drainSeconds = DRAIN_SECONDS): Promise<GatewayProcess> {
  const environment = { DRAIN_TIMEOUT_SECONDS: String(drainSeconds), PATH: process.env['PATH'] ?? '' }
  const gateway =
    launcher === 'npm'
      ? spawnGateway({ ...environment, npm_lifecycle_event: 'start' }, { ownGroup: true })
      : spawnGateway(environment, { ownGroup: true, program: ['--import', oldNode, 'bin/causeway.js', 'serve'] })
  await untilReady(`http://127.0.0.1:${await gateway.listening()}`)
  return gateway
}

async function millisecondsToEnd(gateway: GatewayProcess, stop: () => unknown): Promise<number> {
  const startedMs = performance.now()
  await stop()
  assert.equal(await gateway.exited, 0)
  return performance.now() - startedMs
}

test('a signal to the whole group counts once, although the launcher passes its own on', async () => {
  const gateway = await started('bin/causeway.js')
  assert.ok((await millisecondsToEnd(gateway, () => gateway.killGroup('SIGTERM'))) > LEAST_MS)
})

test('a signal to the launcher alone is passed on', async () => {
  const gateway = await started('bin/causeway.js')
  assert.ok((await millisecondsToEnd(gateway, () => gateway.kill('SIGTERM'))) > LEAST_MS)
})

test('under npm, which passes Ctrl-C on, one counts once', async () => {
  const gateway = await started('npm')
  const took = await millisecondsToEnd(gateway, async () => {
    gateway.kill('SIGINT')
    await sleep(100)
    gateway.kill('SIGINT')
  })
  assert.ok(took > LEAST_MS, `${took} ms`)
})

test('a second wish, a moment later, still ends the waiting', async () => {
  const gateway = await started('npm', 3_600)
  await millisecondsToEnd(gateway, async () => {
    gateway.kill('SIGINT')
    await sleep(1_200)
    gateway.kill('SIGINT')
  })
})
