/** How soon the demo is ready. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { findPort } from '../../../tools/demo/free-ports.ts'
import { makeDemoStarter } from './demo-starter.ts'

const { startDemo, remove } = await makeDemoStarter()
after(remove)

test('the demo is ready within 60 seconds, and within 10 when it starts again', async (t) => {
  const port = String(await findPort(18_800))
  const secondsOfStart = async (): Promise<number> => {
    const startedMs = performance.now()
    const demo = await startDemo(['--port', port])
    const seconds = (performance.now() - startedMs) / 1_000
    t.diagnostic(`ready after ${seconds.toFixed(1)} s`)
    process.kill(-demo.pid, 'SIGINT')
    assert.deepEqual(await demo.exit, [0, null], demo.text())
    return seconds
  }
  assert.ok((await secondsOfStart()) < 60)
  assert.ok((await secondsOfStart()) < 10)
})
