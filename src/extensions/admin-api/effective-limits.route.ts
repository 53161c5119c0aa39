/** The limits of people as they hold now, whatever they come from. */
import { z } from 'zod'
import type { BudgetPeriod } from '../../foundation/domain/budget.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { createUserStore } from '../../modules/people/users.store.ts'
import { listSummaries, summarySchema } from './effective-limits.ts'
import { period } from './spend-limit.fields.ts'
import { asked, describeSeveral, describeVendorPage, vendorListQuery, vendorPage } from './vendor-lists.fields.ts'

export function effectiveLimitsRoute(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/v1/organizations/spend_limits/effective',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Spend limits',
    summary: 'List what limits each person, and what they have spent of it',
    description:
      'A page counts active people, and who has no limit has no row. The budget that a team shares is not the limit of a person and not in here.',
    query: z.strictObject({
      ...vendorListQuery,
      ...describeSeveral('period', period),
      ...describeSeveral('user_ids', id),
    }),
    answers: { 200: { text: 'Limits in force', schema: describeVendorPage(summarySchema) }, ...badInput, ...forAdmins },
    handle: async ({ query }) => {
      const ids = asked(query.user_ids, query['user_ids[]'])
      const periods = asked<BudgetPeriod>(query.period, query['period[]'])
      const people = await createUserStore(ports.database().kysely).list({
        limit: query.limit,
        cursor: query.page,
        ids,
        active: true,
      })
      const rows = await listSummaries(ports, people.data)
      return ok(vendorPage({ ...people, data: rows.filter((row) => periods?.includes(row.period) ?? true) }))
    },
  })
}
