import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { User } from '../../src/foundation/domain/user.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const ROUNDS = 50

/** Every way to lose an administrator, by another one. */
const ways = [
  (target: User, as: string) => app.call('PATCH', `/admin/users/${target.id}`, { as, body: { role: 'member' } }),
  (target: User, as: string) => app.call('PATCH', `/admin/users/${target.id}`, { as, body: { active: false } }),
  (target: User, as: string) => app.call('DELETE', `/admin/users/${target.id}`, { as }),
]

test('two administrators who remove each other at the same moment never leave none', async () => {
  const outcomes = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    await app.database.pool.query(`update users set role = 'member'`)
    const [ann, bo] = [await app.addUser({ role: 'admin' }), await app.addUser({ role: 'admin' })]
    const way = (offset: number) => ways[(round + offset) % ways.length] ?? ways[0]
    const answers = await Promise.all([
      way(0)?.(ann, app.sessionOf(bo)),
      way(Math.floor(round / ways.length))?.(bo, app.sessionOf(ann)),
    ])
    const { rows } = await app.database.pool.query(`select id from users where role = 'admin' and active`)
    assert.equal(rows.length, 1, `round ${round}`)
    const statuses = answers.map((answer) => answer?.status ?? 0).sort()
    assert.equal(statuses.filter((status) => status < 300).length, 1, `round ${round}: ${statuses}`)
    outcomes.set(String(statuses), (outcomes.get(String(statuses)) ?? 0) + 1)
  }
  // The loser is told so by the rule itself in at least one round: otherwise the two calls never met.
  assert.ok(
    [...outcomes.keys()].some((statuses) => statuses.includes('409')),
    JSON.stringify([...outcomes]),
  )
})
