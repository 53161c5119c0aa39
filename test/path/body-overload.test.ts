import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { HostedBodyHandler, HostedCall } from '../../src/data-plane/ports.ts'
import { createOverloadGate } from '../../src/data-plane/receive/overload-gate.ts'
import { startFakedPath } from './faked-path.ts'
import { hello, post, untilTrue } from './path-client.ts'

const MIB = 1024 * 1024
const nothing = (): void => undefined

/** A hosted service that answers when the test says so. */
function waitingHost() {
  const waiting: HostedBodyHandler[] = []
  const take = (_call: HostedCall, handler: HostedBodyHandler) => {
    waiting.push(handler)
    return { pause: nothing, resume: nothing, abort: nothing }
  }
  const answerAll = (json: string): void => {
    for (const handler of waiting.splice(0)) {
      handler.onHead(200, {})
      handler.onData(Buffer.from(json))
      handler.onEnd()
    }
  }
  return { host: { invoke: take, countTokens: take }, asked: () => waiting.length, answerAll }
}

const large = Buffer.from(JSON.stringify({ ...hello, system: 'x'.repeat(5 * MIB) }))

const forms: Readonly<Record<string, (url: string) => Promise<Response>>> = {
  'a compressed body': (url) =>
    post({ url }, 'any', gzipSync(large), { headers: { 'content-encoding': 'gzip' }, path: '' }),
  'a body of no announced length': (url) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit),
}

for (const [name, send] of Object.entries(forms))
  for (const [route, answer] of [
    ['/v1/messages', JSON.stringify({ type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } })],
    ['/v1/messages/count_tokens', '{"inputTokens":1}'],
  ] as const)
    test(`${name} to ${route} counts by what is held of it`, { timeout: 30_000 }, async () => {
      const { host, asked, answerAll } = waitingHost()
      const path = await startFakedPath({ host, overload: createOverloadGate(8 * MIB) })
      try {
        const url = path.url + route
        const first = send(url)
        await untilTrue(() => asked() === 1)
        const second = await send(url)
        assert.deepEqual([second.status, second.headers.get('retry-after')], [529, '2'])
        await second.text()
        answerAll(answer)
        assert.equal((await first).status, 200)
        await untilTrue(() => path.ports.overload.calls() === 0)
        const third = send(url)
        await untilTrue(() => asked() === 1)
        answerAll(answer)
        assert.equal((await third).status, 200)
      } finally {
        path.stop()
      }
    })

test('a body that goes on coming to a call that is over is not counted for ever', () => {
  const gate = createOverloadGate(8 * MIB)
  const enter = () => gate.enter({ headers: { 'content-length': '1' } } as never)
  const place = enter()
  assert.equal(place?.bodyHeld(6 * MIB), true)
  place?.leave()
  assert.equal(place?.bodyHeld(7 * MIB), false)
  assert.equal(enter()?.bodyHeld(8 * MIB), true)
})
