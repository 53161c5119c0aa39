/** The budget under a team or a user: read, set, remove. */
import { type ZodType, z } from 'zod'
import type { Budget } from '../../foundation/domain/budget.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import { requireOwnTeam } from '../people/own-team.ts'
import { type BudgetInput, budgetBody, budgetSchema, toBudget } from './budget.fields.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { standingsWithTopUps } from './budget-standings.ts'
import { type BudgetRecord, createBudgetStore } from './budgets.store.ts'
import { removeBudget, storeBudget } from './stored-budgets.service.ts'

export interface BudgetOwner {
  readonly scope: Budget['scope']
  readonly tag: string
  /** Such as `/admin/teams/{team_id}`. */
  readonly path: string
  readonly param: string
  readonly body: ZodType<BudgetInput>
}

const notSet = { 404: { text: 'There is no budget here' } } as const

export function budgetRoutes(ports: BudgetPorts, owner: BudgetOwner): Route[] {
  const described = { path: `${owner.path}/budget`, access: 'admin', tag: owner.tag } as const
  const params = z.object({ [owner.param]: id })
  const findSubject = (values: Readonly<Record<string, string>>) =>
    ({ scope: owner.scope, subjectId: values[owner.param] ?? '' }) as const

  const toBody = async (budget: BudgetRecord) => {
    const [standing] = await standingsWithTopUps(ports, [budget])
    if (standing === undefined) throw new Error('a budget was asked for and its standing not given')
    return budgetBody(budget, standing)
  }

  const read = async (subject: Pick<Budget, 'scope' | 'subjectId'>) => {
    const budget = await createBudgetStore(ports.database().kysely).find(subject)
    if (budget === undefined) throw noBudget(owner)
    return ok(await toBody(budget))
  }

  return [
    apiRoute({
      ...described,
      method: 'GET',
      summary: `Read the budget of a ${owner.scope}`,
      params,
      answers: {
        200: { text: 'The budget and where it stands', schema: budgetSchema },
        ...badInput,
        ...notSet,
        ...forAdmins,
      },
      handle: (call) => read(findSubject(call.params)),
      handleForLead:
        owner.scope !== 'team'
          ? undefined
          : (call, ownTeamId) => {
              requireOwnTeam(ports, ownTeamId, call.params[owner.param])
              return read({ scope: 'team', subjectId: ownTeamId })
            },
    }),
    apiRoute({
      ...described,
      method: 'PUT',
      summary: `Set the budget of a ${owner.scope}`,
      description: 'What was spent before in the running period counts.',
      params,
      body: owner.body,
      answers: {
        200: { text: 'The budget', schema: budgetSchema },
        ...badInput,
        404: { text: `There is no ${owner.scope} with this id` },
        ...forAdmins,
      },
      handle: async (call) => {
        const subject = findSubject(call.params)
        const budget = await write(ports, call, ['budgets'], async (change) => {
          const before = await createBudgetStore(change.tx).find(subject)
          return await storeBudget(change, before, toBudget(subject, call.body))
        })
        return ok(await toBody(budget))
      },
    }),
    apiRoute({
      ...described,
      method: 'DELETE',
      summary: `Remove the budget of a ${owner.scope}`,
      params,
      answers: { 204: { text: 'Removed' }, ...badInput, ...notSet, ...forAdmins },
      handle: async (call) => {
        const subject = findSubject(call.params)
        await write(ports, call, ['budgets'], async (change) => {
          const before = await createBudgetStore(change.tx).find(subject)
          if (before === undefined) throw noBudget(owner)
          await removeBudget(change, before)
        })
        return noContent
      },
    }),
  ]
}

function noBudget(owner: BudgetOwner): Error {
  return problem('not_found', { what: `budget of a ${owner.scope}` })
}
