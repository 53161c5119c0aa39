/** People, teams, keys and budgets for tests, stored directly; and calls whose price is known. */

import { change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { type Budget, budgetPresets } from '../../src/foundation/domain/budget.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { post } from '../message-path/path-client.ts'
import { addKey, type TestGateway } from '../support/gateway.ts'

const actor = { name: 'test', sourceAddress: null, requestId: null }

let count = 0

export async function addUser(database: Database, teamId: string | null = null): Promise<string> {
  const subject = `person-${(count += 1)}@example.com`
  const user = await change(database, { sections: ['people'], actor }, ({ tx }) =>
    createUserStore(tx).insert({ subject, email: null, role: 'member', teamId }),
  )
  return user.id
}

export async function addTeam(database: Database, name = `team ${(count += 1)}`): Promise<string> {
  return (await change(database, { sections: ['people'], actor }, ({ tx }) => createTeamStore(tx).insert(name))).id
}

export async function setBudget(
  database: Database,
  budget: Pick<Budget, 'scope' | 'subjectId' | 'limitNanoUsd'> & Partial<Budget>,
): Promise<void> {
  const whole = { period: 'monthly' as const, rules: budgetPresets.standard, memberLimitNanoUsd: null, ...budget }
  await change(database, { sections: ['budgets'], actor }, ({ tx }) =>
    createBudgetStore(tx).put({ ...whole, policy: null }),
  )
}

/** A user with a budget and a key. */
export async function addSpender(
  database: Database,
  limitNanoUsd: number,
  budget: Partial<Budget> = {},
): Promise<{ readonly userId: string; readonly key: string }> {
  const userId = await addUser(database)
  await setBudget(database, { scope: 'user', subjectId: userId, limitNanoUsd, ...budget })
  return { userId, key: (await addKey(database, { userId })).key }
}

/** Sonnet 5 through a `us` profile: 2 USD and a tenth for a million input tokens. */
const usage = { input_tokens: 1_000, output_tokens: 100 }

/** Every call costs the same from now on. */
export async function fixPrice(gateway: TestGateway, tokens = usage): Promise<string> {
  const script = await gateway.control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { answer: { usage: { ...tokens, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } } },
  })
  return script.id
}

export async function statusesOf(calls: readonly Promise<Response>[]): Promise<readonly number[]> {
  return await Promise.all(
    calls.map(async (call) => {
      const response = await call
      await response.arrayBuffer()
      return response.status
    }),
  )
}

export function countBreakpoints(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length
}

export const hello = {
  model: 'claude-sonnet-5',
  max_tokens: 200,
  messages: [{ role: 'user', content: 'Hello' }],
} as const

export async function spentOf(database: Database, userId: string): Promise<number> {
  const row = await database.kysely
    .selectFrom('spend_log')
    .select((eb) => eb.fn.sum<number>('cost_nano_usd').as('spent'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.spent ?? 0)
}

/** What one call costs, asked of the gateway itself. */
export async function priceOfCall(gateway: TestGateway): Promise<number> {
  const { database } = gateway
  if (database === undefined) throw new Error('no database')
  const userId = await addUser(database)
  const { key } = await addKey(database, { userId })
  for (;;) {
    const response = await post(gateway, key, hello)
    await response.arrayBuffer()
    if (response.status === 200) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  for (;;) {
    const spent = await spentOf(database, userId)
    if (spent > 0) return spent
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
