import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { ModelHost } from '../../src/foundation/domain/model-host.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { answerLimits } from '../../src/message-path/answer/answer-limits.ts'
import { createClientDisconnects } from '../../src/message-path/answer/client-disconnects.ts'
import { withOpenCalls } from '../../src/message-path/open-calls.ts'
import { startFakedPath } from './faked-path.ts'
import { hello, untilTrue } from './path-client.ts'

const nothing = (): void => undefined

/** A path whose hosted calls wait for their note in the journal, and where nobody is read on for. */
async function startNotedPath() {
  const records: SpendRecord[] = []
  const settled: SpendRecord[] = []
  const begins: (() => void)[] = []
  const closed: string[] = []
  let sent = 0
  let stop = nothing
  const call = () => {
    sent += 1
    return { pause: nothing, resume: nothing, abort: () => 'sent' as const, limitRest: nothing }
  }
  const host: ModelHost = { invoke: call, stream: call, countTokens: call }
  const path = await startFakedPath({
    host: withOpenCalls(host, {
      open: (_note, begin) => void begins.push(begin),
      close: (requestId) => void closed.push(requestId),
    }),
    disconnects: createClientDisconnects({ ...answerLimits, maxDrains: 0 }),
    budgets: {
      reserve: () => ({
        kind: 'held',
        hold: { charge: nothing, settle: (record: SpendRecord) => void settled.push(record), release: nothing },
        view: null,
      }),
    },
    ledger: { append: async (record: SpendRecord) => void records.push(record) },
    track: (given: () => void) => {
      stop = given
      return { done: nothing }
    },
  })
  return { path, records, settled, begins, closed, sent: () => sent, shutDown: () => stop() }
}

for (const stream of [true, false]) {
  const form = stream ? 'a stream' : 'a whole answer'
  const body = JSON.stringify({ ...hello, stream })

  test(`${form} whose client leaves before the call is sent is recorded as not served, and costs nothing`, async () => {
    const { path, records, settled, begins, closed, sent } = await startNotedPath()
    try {
      const socket = path.send('/v1/messages', body)
      await untilTrue(() => begins.length === 1)
      socket.resetAndDestroy()
      await untilTrue(() => path.ports.overload.calls() === 0)
      begins[0]?.()
      assert.equal(sent(), 0)
      assert.deepEqual(closed, ['req_1'])
      assert.deepEqual(
        records.map(({ status, usage, costNanoUsd, rates, flags }) => ({ status, usage, costNanoUsd, rates, flags })),
        [{ status: 499, usage: noUsage, costNanoUsd: 0, rates: null, flags: [] }],
      )
      assert.deepEqual(settled, records)
    } finally {
      path.stop()
    }
  })

  test(`${form} that a shutdown ends before the call is sent is 503, and costs nothing`, async () => {
    const { path, records, settled, begins, sent, shutDown } = await startNotedPath()
    try {
      const socket = path.send('/v1/messages', body)
      const answered = once(socket, 'data')
      await untilTrue(() => begins.length === 1)
      shutDown()
      assert.match(String(await answered), /^HTTP\/1\.1 503 /)
      begins[0]?.()
      assert.equal(sent(), 0)
      assert.deepEqual(
        records.map(({ status, usage, costNanoUsd }) => ({ status, usage, costNanoUsd })),
        [{ status: 503, usage: noUsage, costNanoUsd: 0 }],
      )
      assert.deepEqual(settled, records)
    } finally {
      path.stop()
    }
  })

  test(`${form} whose client leaves after the call was sent is charged by an estimate`, async () => {
    const { path, records, begins, sent } = await startNotedPath()
    try {
      const socket = path.send('/v1/messages', body)
      await untilTrue(() => begins.length === 1)
      begins[0]?.()
      assert.equal(sent(), 1)
      socket.resetAndDestroy()
      await untilTrue(() => path.ports.overload.calls() === 0)
      const [record] = records
      assert.ok(record !== undefined && record.usage.inputTokens > 0)
      assert.deepEqual([record.status, record.flags], [200, ['estimated', 'aborted', 'unpriced']])
    } finally {
      path.stop()
    }
  })
}
