/** The figures of a range beside those of the range before, and what one can filter by. */
import { z } from 'zod'
import { failureKinds } from '../../domain/failure-reason.ts'
import { previousRange } from '../../domain/usage-range.ts'
import type { Route } from '../../http/route.ts'
import { countFailures } from '../../stores/usage/failure-counts.ts'
import { readUsage } from '../../stores/usage/usage-reader.ts'
import { createUsageTotals } from '../../stores/usage/usage-totals.ts'
import type { ControlPorts } from '../control-ports.ts'
import { totalsBody, totalsSchema } from '../usage-records.ts'
import { analyticsRoute } from './analytics-route.ts'

const list = z.array(z.string())

export function overviewRoute(ports: ControlPorts): Route {
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
