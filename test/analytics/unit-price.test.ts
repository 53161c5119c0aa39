import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { makeWorld } from './sample-world.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
  await makeWorld(app, 1_000)
})
after(() => app.stop())

const ask = async (query: string, as = app.admin) => {
  const { status, body } = await app.call('GET', `/admin/analytics/unit-price?${query}`, { as })
  assert.equal(status, 200, query)
  return body
}

/** From the log alone: days of people by the clock of the zone, and what people and others spent. */
async function fromLog(tz: string, from: string, to: string, condition = 'true') {
  const { rows } = await app.database.pool.query(
    `select count(distinct (user_id, (at at time zone $1)::date)) filter (where user_id is not null)::integer as person_days,
       coalesce(sum(cost_nano_usd) filter (where user_id is not null), 0)::text as people,
       coalesce(sum(cost_nano_usd) filter (where user_id is null), 0)::text as others
     from spend_log where (at at time zone $1)::date between $2 and $3 and ${condition}`,
    [tz, from, to],
  )
  const { person_days: personDays, people, others } = rows[0]
  return { personDays, nano: [Number(people), Number(others)] }
}

interface Figures {
  readonly usd_per_person_day: number
  readonly person_days: number
  readonly spend_usd: number
  readonly other_spend_usd: number
}

function assertSame(told: Figures, log: Awaited<ReturnType<typeof fromLog>>): void {
  assert.equal(told.person_days, log.personDays)
  assert.deepEqual(
    [told.spend_usd, told.other_spend_usd].map((usd) => Math.round(usd * 1e9)),
    log.nano,
  )
  assert.equal(told.usd_per_person_day, (log.nano[0] ?? 0) / 1e9 / log.personDays)
}

for (const tz of ['UTC', 'America/New_York', 'Asia/Kathmandu'])
  test(`spend of people by their active days, as the log has them: ${tz}`, async () => {
    const body = await ask(`tz=${tz}&from=2026-11-01&to=2026-11-06`)
    const now = await fromLog(tz, '2026-11-01', '2026-11-06')
    assert.ok(now.personDays > 20 && (now.nano[1] ?? 0) > 0)
    assertSame(body.unit_price, now)
    assertSame(body.previous, await fromLog(tz, '2026-10-26', '2026-10-31'))
    assert.deepEqual(
      body.marks.map(({ usd, meaning }: { usd: number; meaning: string }) => [usd, meaning]),
      [
        [13, 'average'],
        [30, 'most'],
      ],
    )
  })

test('a filter holds for days and for spend, also the one that a lead has', async () => {
  const { rows } = await app.database.pool.query(`select id from teams where name = 'Platform'`)
  const teamId = rows[0].id
  const expected = await fromLog('UTC', '2026-10-25', '2026-11-07', `team_id = '${teamId}'`)
  const range = 'from=2026-10-25&to=2026-11-07'
  assertSame((await ask(`${range}&team=Platform`)).unit_price, expected)
  const lead = await app.addUser({ subject: 'lead@example.com', teamId, grants: ['team:lead'] })
  assertSame((await ask(range, app.sessionOf(lead))).unit_price, expected)
  const ofModel = await fromLog('UTC', '2026-10-25', '2026-11-07', `model = 'claude-opus-5'`)
  assertSame((await ask(`${range}&model=claude-opus-5`)).unit_price, ofModel)
})

test('without an active day there is no price', async () => {
  const { unit_price: empty } = await ask('from=2025-01-01&to=2025-01-07')
  assert.deepEqual(empty, { usd_per_person_day: null, person_days: 0, spend_usd: 0, other_spend_usd: 0 })
})
