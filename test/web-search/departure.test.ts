import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerHandler, HostedCall } from '../../src/foundation/domain/model-host.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import type { BudgetReservation } from '../../src/message-path/ports.ts'
import { giveBody, startFakedPath } from '../message-path/faked-path.ts'
import { untilTrue } from '../message-path/path-client.ts'
import { question, search } from './search-world.ts'

const nothing = (): void => undefined
const usage = { input_tokens: 100, output_tokens: 20 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-5' }
const asked = search('01', 'tides')

/** A model that always wants to search. */
function searchingModel() {
  let calls = 0
  const exchange = { pause: nothing, resume: nothing, abort: nothing }
  const invoke = (_call: HostedCall, handler: AnswerHandler) => {
    calls += 1
    setImmediate(() => {
      handler.onHead(200, {})
      giveBody(handler, Buffer.from(JSON.stringify({ ...message, content: [asked], stop_reason: 'tool_use', usage })))
      handler.onEnd()
    })
    return exchange
  }
  const stream = (_call: HostedCall, handler: AnswerHandler) => {
    calls += 1
    setImmediate(() => {
      handler.onHead(200, {})
      for (const event of events) {
        const bytes = Buffer.from(Buffer.from(JSON.stringify(event)).toString('base64'))
        handler.onData(bytes, 0, bytes.length, 0, bytes.length)
      }
      handler.onReadEnd()
      handler.onEnd()
    })
    return exchange
  }
  return { host: { invoke, stream }, calls: () => calls }
}

const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
  { type: 'content_block_start', index: 0, content_block: { ...asked, input: {} } },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(asked.input) },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: 'message_stop' },
]

for (const stream of [true, false])
  test(`${stream ? 'streamed' : 'whole'}: a round whose client leaves while it waits for its budget is not called`, async () => {
    const model = searchingModel()
    const records: SpendRecord[] = []
    const round = Promise.withResolvers<BudgetReservation>()
    let reservations = 0
    let released = 0
    const hold = {
      charge: nothing,
      settle: nothing,
      release: () => {
        released += 1
      },
    }
    const path = await startFakedPath({
      host: model.host,
      budgets: {
        reserve: () => {
          reservations += 1
          return reservations === 1 ? { kind: 'held', hold: null, view: null } : round.promise
        },
      },
      ledger: { append: async (record: SpendRecord) => void records.push(record) },
      webSearch: {
        termsFor: async () => ({
          kind: 'on',
          provider: { type: 'tavily', apiKey: 'key', apiUrl: null, maxResults: 3, isOwn: false },
        }),
        search: async () => ({ kind: 'found', hits: [] }),
      },
    })
    try {
      const socket = path.send('/v1/messages', JSON.stringify(question({ stream })))
      await untilTrue(() => reservations === 2)
      socket.resetAndDestroy()
      await untilTrue(() => path.departed() === 1)
      round.resolve({ kind: 'held', hold, view: null })
      await untilTrue(() => path.ports.overload.calls() === 0)
      assert.equal(model.calls(), 1)
      assert.equal(released, 1)
      assert.deepEqual(
        records.map((record) => record.round),
        [0],
      )
      assert.equal(path.ports.pings.openStreams(), 0)
    } finally {
      path.stop()
    }
  })
