/** What a person costs on a day on which they work with the gateway, beside the published marks. */
import { z } from 'zod'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { listBuckets, previousRange, type UsageRange } from '../../foundation/domain/usage-range.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { readUsage, type UsageReader } from '../spend/usage/usage-reader.store.ts'
import type { UsageFilter } from '../spend/usage/usage-source.store.ts'
import { createUsageTotals } from '../spend/usage/usage-totals.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { createUsageSeries } from './usage-series.store.ts'

/** Of the maker of the coding client, for its use in companies. */
const marks = [
  { usd: 13, meaning: 'average', text: 'What a developer costs on an active day, on average over enterprises.' },
  { usd: 30, meaning: 'most', text: 'What nine of ten developers stay below on an active day.' },
] as const

const figures = z.object({
  usd_per_person_day: z.number().nullable(),
  person_days: z.int(),
  spend_usd: z.number(),
  other_spend_usd: z.number(),
})

export function unitPriceRoute(ports: RoutePorts): Route {
  return analyticsRoute(ports, {
    path: 'unit-price',
    summary: 'Cost of a person on an active day, beside the published marks',
    description:
      '`spend_usd` of people, divided by their active days: a day of the zone counts for a person who had at least one call on it, also one that failed. What no person spent (keys of nobody, and the probes of the gateway) is `other_spend_usd` and no part of it. `usd_per_person_day` is null without an active day. `previous` has the same for as many days right before. `marks` are published figures of the coding client in enterprises.',
    fields: {
      unit_price: figures,
      previous: figures,
      marks: z.array(z.object({ usd: z.number(), meaning: z.enum(['average', 'most']), text: z.string() })),
    },
    answer: ({ database, range, filter }) =>
      readUsage(database.kysely, async (reader) => ({
        unit_price: await readFigures(reader, range, filter),
        previous: await readFigures(reader, previousRange(range), filter),
        marks,
      })),
  })
}

async function readFigures(reader: UsageReader, range: UsageRange, filter: UsageFilter) {
  const days = await createUsageSeries(reader).active(listBuckets(range, 'day'), filter)
  const personDays = days.reduce((sum, { active }) => sum + active, 0)
  const spend = await createUsageTotals(reader).spendByKind(range, filter)
  return {
    usd_per_person_day: personDays === 0 ? null : usdFromNano(spend.of_people) / personDays,
    person_days: personDays,
    spend_usd: usdFromNano(spend.of_people),
    other_spend_usd: usdFromNano(spend.of_nobody),
  }
}
