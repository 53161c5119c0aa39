import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { controlClient } from './control-client.ts'

const NO_PORTS = ['port', 'control-port', 'oidc-port', 'webhook-port', 'search-port'].flatMap((flag) => [
  `--${flag}`,
  '0',
])

test('the command prints its addresses, serves at a natural pace, and stops on a signal', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...NO_PORTS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('search ')) break
  }
  assert.match(output, /^AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:\d+\nAWS_ACCESS_KEY_ID=AKIA/)
  const controlUrl = /control\s+(\S+)/.exec(output)?.[1] ?? ''
  const { pace } = await controlClient(controlUrl).settings()
  assert.ok(pace.eventsPerSecond !== null && pace.firstEventDelayMs > 0)
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
