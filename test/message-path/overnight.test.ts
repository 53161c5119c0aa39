import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Clock, systemClock } from '../../src/foundation/platform/clock.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, hello, post, requestIdOf, untilProbed, untilTrue } from './path-client.ts'

const NIGHT_MS = 23.5 * 60 * 60_000

let gateway: TestGateway
let key = ''
const { monotonicMs } = systemClock

before(async () => {
  gateway = await startGateway({
    probes: true,
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  await untilProbed(gateway.database)
})
after(async () => {
  setClock(monotonicMs)
  await gateway.stop()
})

function setClock(read: Clock['monotonicMs']): void {
  ;(systemClock as { monotonicMs: Clock['monotonicMs'] }).monotonicMs = read
}

const edits = { edits: [{ type: 'clear_tool_uses_20250919' }] }
const body = { ...hello, context_management: edits }
const headers = { 'anthropic-beta': 'context-management-2025-06-27' }

/** How many tries a request takes, and what the last one holds. */
async function ask(): Promise<{ readonly tries: number; readonly sent: unknown }> {
  const response = await post(gateway, key, body, { headers })
  assert.equal(response.status, 200, await response.clone().text())
  const { attempts } = await asEvent(gateway, requestIdOf(response))
  const requests = (await gateway.control.requests()).filter((request) => request.body.includes('"Hello"'))
  return { tries: attempts.length, sent: JSON.parse(requests.at(-1)?.body ?? '').context_management }
}

/** How often the gateway has asked about the field on its own. */
async function probes(): Promise<number> {
  const requests = await gateway.control.requests()
  return requests.filter((request) => request.body.includes('"Hi"') && request.body.includes('context_management'))
    .length
}

function untilSettled(verdict: string): Promise<void> {
  return untilTrue(async () => {
    const found = await gateway.database?.kysely
      .selectFrom('capability_probes')
      .select('verdict')
      .where('feature', '=', 'context_management')
      .executeTakeFirst()
    return found?.verdict === verdict
  })
}

test('a field whose verdict changes overnight is sent the next day, without a restart and without a further try', async () => {
  const { id } = await gateway.control.script({
    match: { operation: 'InvokeModel' },
    times: null,
    behaviour: { rejectFields: { paths: ['context_management'] } },
  })
  assert.deepEqual(await ask(), { tries: 2, sent: undefined })
  assert.deepEqual(await ask(), { tries: 1, sent: undefined })
  assert.equal(await probes(), 0, 'what was just refused is not asked about')

  setClock(() => monotonicMs() + NIGHT_MS)
  await untilSettled('unsupported')
  assert.equal(await probes(), 1)
  assert.deepEqual(await ask(), { tries: 1, sent: undefined })

  await gateway.control.removeScript(id)
  await gateway.database?.pool.query(
    "update capability_probes set next_at = now() where feature = 'context_management'",
  )
  setClock(() => monotonicMs() + 2 * NIGHT_MS)
  await untilSettled('supported')
  assert.equal(await probes(), 2)
  assert.deepEqual(await ask(), { tries: 1, sent: edits })
})
