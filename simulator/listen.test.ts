import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { after, before, test } from 'node:test'
import { type ControlClient, controlClient } from './control-client.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { minimalBody, readFrames, sendSigned, signedHeaders, toEvent } from './test-client.fixture.ts'

const STREAM = '/model/us.anthropic.claude-opus-4-8/invoke-with-response-stream'
let simulator: Simulator
let control: ControlClient

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
})
after(() => simulator.close())

async function sendHttp2(): Promise<{ status: number; body: Buffer; failed: boolean }> {
  const { hostname, port } = new URL(simulator.url)
  const body = minimalBody()
  const keys = { accessKey: simulator.accessKey, secretKey: simulator.secretKey }
  const { host: _, ...headers } = await signedHeaders(hostname, Number(port), { path: STREAM, body, ...keys })
  const session = connect(simulator.url)
  session.on('error', () => {})
  const stream = session.request({ ':method': 'POST', ':path': STREAM, ...headers })
  stream.end(body)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let status = 0
    let failed = false
    stream.on('response', (reply) => {
      status = Number(reply[':status'])
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', () => {
      failed = true
    })
    stream.on('close', () => {
      session.close()
      resolve({ status, body: Buffer.concat(chunks), failed: failed || stream.rstCode !== 0 })
    })
  })
}

test('HTTP/2 without TLS is spoken on the same port, signature and stream included', async () => {
  const reply = await sendHttp2()
  assert.deepEqual([reply.status, reply.failed], [200, false])
  const events = readFrames(reply.body).frames.map((frame) => toEvent(frame).type)
  assert.deepEqual([events[0], events.at(-1)], ['message_start', 'message_stop'])
  const entry = (await control.ledger()).at(-1)
  assert.deepEqual([entry?.completed, entry?.aborted], [true, false])
  const http1 = await sendSigned(simulator, { path: STREAM, body: minimalBody() })
  assert.equal(http1.status, 200)
})

test('scripts end HTTP/2 streams as they end connections', async () => {
  await control.script({ behaviour: { reset: true } })
  const reset = await sendHttp2()
  assert.deepEqual([reset.status, reset.failed], [0, true])
  await control.script({ behaviour: { throttle: true } })
  assert.equal((await sendHttp2()).status, 429)
  await control.script({ behaviour: { cut: { afterEvents: 2 } } })
  const cut = await sendHttp2()
  assert.equal(readFrames(cut.body).frames.length, 2)
})
