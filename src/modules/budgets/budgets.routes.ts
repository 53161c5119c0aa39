/** Every budget in one list, with where it stands. */
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { describePage, idsQuery, listQuery } from '../../foundation/http/lists.ts'
import { type ListShape, pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { budgetBody, budgetSchema } from './budget.fields.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { standingsWithTopUps } from './budget-standings.ts'
import { createBudgetStore } from './budgets.store.ts'

type ListedBudget = ReturnType<typeof budgetBody> & { readonly name: string }

const shape: ListShape<ListedBudget> = {
  sorts: {
    name: (budget) => budget.name.toLowerCase(),
    percent: (budget) => budget.percent,
    spend_usd: (budget) => budget.spend_usd,
    limit_usd: (budget) => budget.limit_usd,
    updated_at: (budget) => budget.updated_at,
  },
  defaultSort: '-percent',
  idOf: (budget) => `${budget.scope}:${budget.subject_id}`,
  textsOf: (budget) => [budget.name],
}

export function budgetListRoutes(ports: BudgetPorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/budgets',
      access: 'admin',
      grants: ['billing:read'],
      tag: 'Budgets',
      summary: 'List every budget',
      description:
        '`q` looks in names, `ids` are those of people and teams. `sort`: percent (highest first by default), name, spend_usd, limit_usd, updated_at.',
      query: z.strictObject({ ...listQuery, ...idsQuery, scope: z.enum(['user', 'team']).optional() }),
      answers: {
        200: { text: 'Budgets', schema: describePage(budgetSchema.extend({ name: z.string() })) },
        ...badInput,
        ...forAdmins,
      },
      handle: async ({ query: { scope, ids, ...request } }) =>
        ok(pageInMemory(await listBudgets(ports, { scope, ids }), shape, request)),
    }),
  ]
}

interface BudgetFilter {
  readonly scope: string | undefined
  readonly ids: readonly string[] | undefined
}

async function listBudgets(ports: BudgetPorts, { scope, ids }: BudgetFilter): Promise<readonly ListedBudget[]> {
  const all = await createBudgetStore(ports.database().kysely).list()
  const wanted = ids === undefined ? undefined : new Set(ids)
  const budgets = all.filter(
    (budget) => (scope === undefined || budget.scope === scope) && (wanted?.has(budget.subjectId) ?? true),
  )
  const standings = await standingsWithTopUps(ports, budgets)
  const { users, teams } = ports.snapshot()
  return budgets.flatMap((budget, index) => {
    const standing = standings[index]
    const known = budget.scope === 'user' ? users.get(budget.subjectId)?.subject : teams.get(budget.subjectId)?.name
    // A budget that another instance has just stored for somebody new has no name here for a moment.
    return standing === undefined ? [] : [{ ...budgetBody(budget, standing), name: known ?? budget.subjectId }]
  })
}
