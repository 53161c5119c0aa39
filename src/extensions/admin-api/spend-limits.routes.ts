/** Budgets as spend limits of the vendor's Admin API: listed, read, set and removed. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { type BudgetPeriod, budgetPresets } from '../../foundation/domain/budget.ts'
import { invalidParameter, problem } from '../../foundation/domain/errors.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { type ListShape, pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { type BudgetRecord, type BudgetSubject, createBudgetStore } from '../../modules/budgets/budgets.store.ts'
import { budgetChanges } from '../../modules/budgets/module.ts'
import { createSettingStore } from '../../modules/settings/settings.store.ts'
import { amount } from './cents.ts'
import {
  period,
  requireSamePeriod,
  type ScopeType,
  type SpendLimit,
  scopeOfLimitId,
  scopeTypes,
  spendLimitSchema,
  subjectOfScope,
  toDefaultLimit,
  toMemberLimit,
  toSpendLimit,
} from './spend-limit.fields.ts'
import { asked, describeSeveral, describeVendorPage, vendorListQuery, vendorPage } from './vendor-lists.fields.ts'

const tag = 'Spend limits'
const path = '/v1/organizations/spend_limits'
const params = z.object({ spend_limit_id: z.string().max(100) })
const answered = { 200: { text: 'The limit', schema: spendLimitSchema }, ...badInput, ...unknownId, ...forAdmins }

export function spendLimitRoutes(ports: BudgetPorts): Route[] {
  return [list(ports), read(ports), set(ports), remove(ports)]
}

/** In the order of the vendor: defaults before the limits of one. */
const shape: ListShape<SpendLimit> = {
  sorts: { scope: (limit) => scopeTypes.indexOf(limit.scope.type) },
  defaultSort: 'scope',
  idOf: (limit) => limit.id,
  textsOf: () => [''],
}

function list(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    grants: ['billing:read'],
    tag,
    summary: 'List budgets as spend limits',
    description:
      'The scope `user` is the own budget of a person, `workspace` the budget that a team shares, `rbac_group` what a team gives each member, `seat_tier` the default of everybody without one. Ids of people and teams are those of the other routes.',
    query: z.strictObject({
      ...vendorListQuery,
      ...describeSeveral('scope_type', z.enum(scopeTypes)),
      workspace_id: id.optional(),
    }),
    answers: { 200: { text: 'Limits', schema: describeVendorPage(spendLimitSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query }) => {
      const types = asked<ScopeType>(query.scope_type, query['scope_type[]'])
      const { workspace_id: workspaceId } = query
      const limits = (await allLimits(ports)).filter(
        ({ scope }) =>
          (types?.includes(scope.type) ?? true) &&
          (workspaceId === undefined || (scope.type === 'workspace' && scope.workspace_id === workspaceId)),
      )
      return ok(vendorPage(pageInMemory(limits, shape, { limit: query.limit, cursor: query.page })))
    },
  })
}

async function allLimits(ports: BudgetPorts): Promise<readonly SpendLimit[]> {
  const budgets = await createBudgetStore(ports.database().kysely).list()
  return [await findDefault(ports), ...budgets.map(toMemberLimit), ...budgets.map(toSpendLimit)].filter(
    (limit) => limit !== undefined,
  )
}

async function findDefault(ports: BudgetPorts): Promise<SpendLimit | undefined> {
  const stored = await createSettingStore(ports.database().kysely).find('default_budget')
  return toDefaultLimit(ports.snapshot().settings.default_budget, stored?.updatedAt)
}

function read(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/{spend_limit_id}`,
    access: 'admin',
    grants: ['billing:read'],
    tag,
    summary: 'Read one spend limit',
    params,
    answers: answered,
    handle: async (call) => {
      const scope = scopeOfLimitId(call.params.spend_limit_id)
      if (scope === undefined) throw unknownLimit()
      const budget =
        scope.type === 'seat_tier'
          ? undefined
          : await createBudgetStore(ports.database().kysely).find(subjectOfScope(scope))
      const limit =
        scope.type === 'seat_tier'
          ? await findDefault(ports)
          : budget && (scope.type === 'rbac_group' ? toMemberLimit : toSpendLimit)(budget)
      if (limit === undefined) throw unknownLimit()
      return ok(limit)
    },
  })
}

const NO_SCOPE =
  'must be {"type": "user", "user_id": …} or {"type": "workspace", "workspace_id": …}; the default of everybody and what a team gives each member are set in the portal'

const limitBody = z.strictObject({
  amount,
  scope: z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('user'), user_id: id }),
      z.strictObject({ type: z.literal('workspace'), workspace_id: id }),
    ],
    { error: NO_SCOPE },
  ),
  period: period.optional(),
})

function set(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'POST',
    path,
    access: 'admin',
    tag,
    summary: 'Set the spend limit of a person or a team',
    description:
      'In whole cents as text. What is there keeps its period and its rules; a new one is monthly and stops calls at the limit, unless an inherited one says otherwise. Nobody has two limits of different periods, so another period than that in force is refused.',
    body: limitBody,
    answers: answered,
    handle: async (call) => {
      const { amount: limitNanoUsd, scope, period: wanted } = call.body
      const subject = subjectOfScope({ type: scope.type, of: 'user_id' in scope ? scope.user_id : scope.workspace_id })
      const stored = await write(ports, call, ['budgets'], (change) =>
        storeLimit(change, ports, subject, limitNanoUsd, wanted),
      )
      return ok(toSpendLimit(stored))
    },
  })
}

/** What is in force goes on with its period and its rules, also where it is inherited. */
async function storeLimit(
  change: Change,
  ports: BudgetPorts,
  subject: BudgetSubject,
  limitNanoUsd: NanoUsd,
  period: BudgetPeriod | undefined,
): Promise<BudgetRecord> {
  const inForce = await budgetChanges.findBudgetInForce(change, ports, subject)
  if (inForce !== undefined) {
    requireSamePeriod(inForce, period)
    return await budgetChanges.storeWithLimit(change, inForce, limitNanoUsd)
  }
  return await budgetChanges.storeBudget(change, undefined, {
    ...subject,
    limitNanoUsd,
    period: period ?? 'monthly',
    rules: budgetPresets.standard,
    policy: 'standard',
    memberLimitNanoUsd: null,
  })
}

const deletedSchema = z.object({ id: z.string(), type: z.literal('spend_limit_deleted') })

function remove(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: `${path}/{spend_limit_id}`,
    access: 'admin',
    tag,
    summary: 'Remove the spend limit of a person or a team',
    description: 'What a person inherits then holds for them.',
    params,
    answers: { ...answered, 200: { text: 'Removed', schema: deletedSchema } },
    handle: async (call) => {
      const { spend_limit_id: limitId } = call.params
      const scope = scopeOfLimitId(limitId)
      if (scope === undefined) throw unknownLimit()
      if (scope.type === 'seat_tier' || scope.type === 'rbac_group')
        throw invalidParameter('spend_limit_id', 'A limit that many inherit is removed in the portal only.')
      await write(ports, call, ['budgets'], async (change) => {
        const before = await createBudgetStore(change.tx).find(subjectOfScope(scope))
        if (before === undefined) throw unknownLimit()
        if (before.memberLimitNanoUsd !== null)
          throw invalidParameter(
            'spend_limit_id',
            'The budget of this team also has the limit of each member, which would be lifted with it. Remove it in the portal.',
          )
        await budgetChanges.removeBudget(change, before)
      })
      return ok({ id: limitId, type: 'spend_limit_deleted' })
    },
  })
}

function unknownLimit(): Error {
  return problem('not_found', { what: 'spend limit' })
}
