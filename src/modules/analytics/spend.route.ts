/** What was spent: along time, by whom, against which limits, and where it is going. */
import { z } from 'zod'
import { budgetPeriods } from '../../foundation/domain/budget.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { listBuckets, type Span } from '../../foundation/domain/usage-range.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { BudgetPorts } from '../budgets/budget-ports.ts'
import { listBudgets } from '../budgets/budget-rows.fields.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals } from '../spend/usage/usage-totals.store.ts'
import { analyticsRoute } from './analytics-route.service.ts'
import { buildForecast } from './spend-forecast.service.ts'
import { bucketTime, modelSpend, modelSpendSchema, namedSpend, namedSpendSchema, personSpend } from './usage-records.ts'
import { createUsageSeries, type SeriesRow } from './usage-series.store.ts'

const point = z.object({ bucket: z.iso.datetime(), spend_usd: z.number(), low_usd: z.number(), high_usd: z.number() })

const budget = z.object({
  scope: z.enum(['user', 'team']),
  name: z.string(),
  limit_usd: z.number(),
  top_up_usd: z.number(),
  spend_usd: z.number(),
  percent: z.number(),
  period: z.enum(budgetPeriods),
  status: z.enum(['ok', 'warning', 'shaped', 'blocked']),
  resets_at: z.iso.datetime(),
})

export function spendRoute(ports: BudgetPorts): Route {
  return analyticsRoute(ports, {
    path: 'org/spend',
    summary: 'Spend over time, by team, person and model, with budgets and a forecast',
    description:
      '`bucket` is the moment in which an hour, day or week of the zone begins. `by_model` has the 1,000 dearest and the sums of all others as `(other)`. `budgets` are where they stand now, of the teams and people that the filter names. The forecast is a line through the complete days of the range (least squares) with the band that holds 80 %; it needs three days and goes 7 days ahead and to the end of the month. `month_end_usd` is what is spent in that month already and what the line adds.',
    fields: {
      timeseries: z.array(
        z.object({ bucket: z.iso.datetime(), spend_usd: z.number(), by: z.record(z.string(), z.number()) }),
      ),
      by_team: z.array(namedSpendSchema),
      by_user: z.array(namedSpendSchema),
      by_model: z.array(modelSpendSchema),
      budgets: z.array(budget),
      forecast: z.object({ method: z.literal('ols'), points: z.array(point), month_end_usd: z.number().nullable() }),
    },
    answer: async (question) => {
      const { database, range, filter, onlyTeamId } = question
      const buckets = listBuckets(range)
      const usage = await readUsage(database.kysely, async (reader) => {
        const series = createUsageSeries(reader)
        const rows = await series.byBucket(buckets, filter)
        const totals = createUsageTotals(reader)
        const divided = await totals.breakdown(range, filter, ['team', 'model'])
        const days = listBuckets(range, 'day')
        const daily = range.granularity === 'day' ? rows : await series.byBucket(days, filter)
        return {
          timeseries: timeseries(buckets, rows),
          by_team: namedSpend(divided, 'team'),
          by_user: personSpend(await totals.byPerson(range, filter)),
          by_model: modelSpend(divided),
          forecast: await buildForecast(question, reader, { days, rows: daily }),
        }
      })
      // Asks the database on its own, so not before the connection above is given back.
      return { ...usage, budgets: await listBudgets(ports, filter, onlyTeamId) }
    },
  })
}

function timeseries(buckets: readonly Span[], rows: readonly SeriesRow[]) {
  const byBucket = Map.groupBy(rows, (row) => row.bucket)
  return buckets.map(({ startMs }, index) => {
    const own = byBucket.get(index) ?? []
    // A team may have the name of one that was deleted: together they are one name, as in `by_team`.
    const byTeam = Map.groupBy(own, (row) => row.team)
    return {
      bucket: bucketTime(startMs),
      spend_usd: sumSpend(own),
      by: Object.fromEntries([...byTeam].map(([team, ofTeam]) => [team, sumSpend(ofTeam)])),
    }
  })
}

function sumSpend(rows: readonly SeriesRow[]): number {
  return usdFromNano(rows.reduce((sum, row) => sum + row.cost_nano_usd, 0))
}
