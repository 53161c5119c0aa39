/** Clients that take nothing of an answer that waits for them, and clients that take it slowly. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { joinedSpend } from '../../../src/modules/spend/spend-log.store.ts'
import { toSpendRecord } from '../../../src/modules/spend/stored-spend.store.ts'
import { countRecords, gaugeOf, hello, untilTrue } from '../../message-path/path-client.ts'
import { addKey, startGateway, type TestGateway } from '../../support/gateway.ts'

const UNREAD_MS = 1_500
/** More than the system takes for a client that does not read. */
const ANSWER_BYTES = 14_000_000
const answer = { content: [{ type: 'text', text: `${'x'.repeat(19_999)} `.repeat(ANSWER_BYTES / 20_000) }] }

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    answerLimits: { unreadMs: UNREAD_MS, pingAfterMs: 200 },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

beforeEach(async () => {
  await gateway.control.reset()
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { answer } })
})

after(() => gateway.stop())

function ask(body: object): net.Socket {
  const text = JSON.stringify(body)
  const socket = net.connect(gateway.port, '127.0.0.1', () =>
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    ),
  )
  socket.on('error', () => undefined)
  return socket
}

async function newestRecord() {
  const { database } = gateway
  if (database === undefined) throw new Error('no database')
  const row = await joinedSpend(database.kysely).orderBy('spend_log.at', 'desc').limit(1).executeTakeFirstOrThrow()
  return toSpendRecord(row)
}

test('a stream that nobody takes gives its place back, and is recorded with its usage', async () => {
  const before = await countRecords(gateway)
  const socket = ask({ ...hello, stream: true })
  socket.pause()
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 1)
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0)
  await untilTrue(async () => (await countRecords(gateway)) === before + 1)
  assert.equal(await gaugeOf(gateway, 'gateway_open_streams'), 0)
  const record = await newestRecord()
  assert.equal(record.status, 200)
  assert.ok(record.usage.outputTokens > 0)
  // It was read to its end for nobody, as for any client that left.
  assert.ok(record.flags.includes('aborted') && !record.flags.includes('estimated'))
  socket.destroy()
})

test('a whole answer that nobody takes is given up, although it was ended', async () => {
  const socket = ask(hello)
  socket.pause()
  // The gateway runs in this process, so its timer of a quarter of this has fired before, however slow the machine is.
  await new Promise((resolve) => setTimeout(resolve, 4 * UNREAD_MS))
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.resume()
  await once(socket, 'close')
  assert.ok(received > 0 && received < ANSWER_BYTES, `${received} bytes`)
})

test('a client that takes its answer slowly gets it whole, however long that takes', async () => {
  const socket = ask({ ...hello, stream: true })
  const startedMs = performance.now()
  let last = ''
  // A megabyte, then a pause.
  for (let isOver = false; !isOver; ) {
    let taken = 0
    socket.resume()
    while (taken < 1_000_000 && !isOver) {
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      taken += bytes.length
      last = (last + bytes.toString('latin1')).slice(-1_000)
      isOver = last.endsWith('0\r\n\r\n')
    }
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, UNREAD_MS / 5))
  }
  assert.match(last, /event: message_stop\n/)
  assert.ok(performance.now() - startedMs > 2 * UNREAD_MS)
  socket.destroy()
})
