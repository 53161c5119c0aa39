import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import { createOverloadGate, type OverloadGate } from '../../src/message-path/receive/overload-gate.ts'
import { usedMemory } from '../support/used-memory.ts'
import { giveBody, startFakedPath } from './faked-path.ts'
import { hello, post, untilTrue } from './path-client.ts'

const MIB = 1024 * 1024
const nothing = (): void => undefined

/** A hosted service that answers when the test says so. */
function waitingHost() {
  const waiting: AnswerHandler[] = []
  const take = (_call: HostedCall, handler: AnswerHandler) => {
    waiting.push(handler)
    return { pause: nothing, resume: nothing, abort: nothing }
  }
  const answerAll = (json: string): void => {
    for (const handler of waiting.splice(0)) {
      handler.onHead(200, {})
      giveBody(handler, Buffer.from(json))
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
    test(`${name} to ${route} counts by what is held of it`, { timeout: 300_000 }, async () => {
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
  const stay = (): boolean => false
  assert.equal(place?.bodyHeld(6 * MIB, stay), true)
  place?.leave()
  assert.equal(place?.bodyHeld(7 * MIB, stay), false)
  assert.equal(enter()?.bodyHeld(8 * MIB, stay), true)
})

/** A head with a length and no body behind it, or only the beginning of one. */
async function announce(url: string, bytes: number, begin = '') {
  const { port, pathname } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const head = `POST ${pathname} HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
  socket.write(head + begin)
  return socket
}

for (const [name, begin] of [
  ['nothing', ''],
  ['little', `{"system":"${'x'.repeat(1_000)}`],
] as const)
  test(`bodies that are announced and of which ${name} comes take no room from others`, {
    timeout: 300_000,
  }, async () => {
    const { host, asked, answerAll } = waitingHost()
    const path = await startFakedPath({ host, overload: createOverloadGate(8 * MIB) })
    const before = usedMemory().arrayBuffers
    const silent = []
    try {
      const url = `${path.url}/v1/messages`
      for (let index = 0; index < 50; index += 1) silent.push(await announce(url, 2 * MIB, begin))
      await untilTrue(() => path.ports.overload.calls() === 50)
      const call = post(path, 'any', large)
      await untilTrue(() => asked() === 1)
      const heldBytes = usedMemory().arrayBuffers - before
      assert.ok(heldBytes < 40 * MIB, `${Math.round(heldBytes / MIB)} MiB of buffers`)
      answerAll(JSON.stringify({ type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } }))
      assert.equal((await call).status, 200)
    } finally {
      for (const socket of silent) socket.destroy()
      path.stop()
    }
  })

test('bodies that grow beyond the room together are refused one by one, and the others arrive', {
  timeout: 300_000,
}, async () => {
  const { host, asked, answerAll } = waitingHost()
  const path = await startFakedPath({ host, overload: createOverloadGate(16 * MIB) })
  try {
    const url = `${path.url}/v1/messages`
    const size = large.length
    const half = large.subarray(0, size / 2).toString('latin1')
    const rest = large.subarray(size / 2).toString('latin1')
    // All of them fit when they begin; not all of them fit whole.
    const sockets = await Promise.all(Array.from({ length: 5 }, () => announce(url, size, half)))
    const answers = sockets.map((socket) => once(socket, 'data').then(([bytes]) => Number(String(bytes).split(' ')[1])))
    await untilTrue(() => path.ports.overload.calls() === 5)
    for (const socket of sockets) socket.write(rest)
    await untilTrue(() => asked() === path.ports.overload.calls())
    assert.ok(asked() >= 2 && asked() <= 3, `${asked()} arrived`)
    const arrived = asked()
    answerAll(JSON.stringify({ type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } }))
    const statuses = await Promise.all(answers)
    assert.equal(statuses.filter((status) => status === 200).length, arrived)
    assert.equal(statuses.filter((status) => status === 529).length, 5 - arrived)
    await untilTrue(() => path.ports.overload.calls() === 0)
    for (const socket of sockets) socket.destroy()
  } finally {
    path.stop()
  }
})

function hasRoomFor(overload: OverloadGate, bytes: number): boolean {
  const place = overload.enter({ headers: { 'content-length': String(bytes) } } as never)
  place?.leave()
  return place !== undefined
}

/** What the first line of an answer says, once there is one. */
function toStatus(socket: Socket): () => number | undefined {
  let said = ''
  socket.on('data', (bytes) => {
    said += String(bytes)
  })
  return () => (said === '' ? undefined : Number(said.split(' ')[1]))
}

for (const [name, drip] of [
  ['stop', ''],
  ['go on by the byte', 'x'],
] as const)
  test(`large bodies that ${name} give way to others once there is no room, the longest silent first, and only as many as it takes`, {
    timeout: 300_000,
  }, async () => {
    const { host, asked, answerAll } = waitingHost()
    let nowMs = 0
    const overload = createOverloadGate(12 * MIB, undefined, { monotonicMs: () => nowMs })
    const path = await startFakedPath({ host, overload })
    const url = `${path.url}/v1/messages`
    const all = large.toString('latin1')
    const most = all.slice(0, -1_000)
    const stalled: Socket[] = []
    try {
      for (let index = 0; index < 2; index += 1) {
        stalled.push(await announce(url, large.length, most))
        const left = 12 * MIB - (index + 1) * most.length
        await untilTrue(() => !hasRoomFor(overload, left + 1))
        nowMs += 6_000
      }
      const statuses = stalled.map(toStatus)
      for (const socket of stalled) socket.write(drip)
      nowMs = 9_999
      const early = await post(path, 'any', large)
      assert.deepEqual([early.status, early.headers.get('retry-after')], [529, '2'])
      await early.text()
      nowMs = 12_000
      const call = post(path, 'any', large)
      await untilTrue(() => asked() === 1)
      await untilTrue(() => statuses[0]?.() === 529)
      // The other one has stalled for less long, and its rest still comes.
      stalled[1]?.write(all.slice(most.length + drip.length))
      await untilTrue(() => asked() === 2)
      // What has come is not taken away, however long its answer takes.
      nowMs = 60_000
      assert.equal((await post(path, 'any', large)).status, 529)
      answerAll(JSON.stringify({ type: 'message', content: [], usage: { input_tokens: 1, output_tokens: 1 } }))
      assert.equal((await call).status, 200)
      await untilTrue(() => statuses[1]?.() === 200)
      await untilTrue(() => overload.calls() === 0)
      // All of the room is there again.
      assert.ok(hasRoomFor(overload, 12 * MIB))
    } finally {
      for (const socket of stalled) socket.destroy()
      path.stop()
    }
  })
