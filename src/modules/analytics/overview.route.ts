/** The figures of a range beside those of the range before, and what one can filter by. */
import { z } from 'zod'
import { failureKinds } from '../../foundation/domain/failure-reason.ts'
import { previousRange } from '../../foundation/domain/usage-range.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals } from '../spend/usage/usage-totals.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { countFailures } from './failure-counts.store.ts'
import { totalsBody, totalsSchema } from './usage-records.ts'

const list = z.array(z.string())

export function overviewRoute(ports: RoutePorts): Route {
  return analyticsRoute(ports, {
    path: 'org/overview',
    summary: 'Key figures of the organization and the values one can filter by',
    description:
      '`previous` has the same figures for as many days right before, the last of them up to the same time with `until`. `requests` counts every call of a caller, `errors` those that failed; capability probes count in the spend only. `filters` lists whatever has a record, of models 1,000 at most. `failures` counts rejected and failed requests by `reason.kind`, most frequent first. It also counts requests whose client disconnected, which `errors` leaves out when they were served.',
    fields: {
      totals: totalsSchema,
      previous: totalsSchema,
      failures: z.array(z.object({ kind: z.enum(failureKinds), requests: z.int() })),
      filters: z.object({ teams: list, users: list, models: list, endpoints: list }),
    },
    answer: ({ database, range, filter, onlyTeamId }) =>
      readUsage(database.kysely, async (reader) => {
        const store = createUsageTotals(reader)
        return {
          totals: totalsBody(await store.totals(range, filter)),
          previous: totalsBody(await store.totals(previousRange(range), filter)),
          failures: await countFailures(reader, range, filter),
          filters: await store.options(onlyTeamId),
        }
      }),
  })
}
