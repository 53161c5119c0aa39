/** What a range would have cost if a share of the calls to one model had gone to another one. */
import { z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import { modelIdForText } from '../../foundation/domain/model-id.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { UsageRange } from '../../foundation/domain/usage-range.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { text } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { type AnalyticsQuery, analyticsQuery, rangeBody } from '../../modules/analytics/usage-query.ts'
import { readUsage } from '../../modules/spend/usage/usage-reader.store.ts'
import type { UsageFilter } from '../../modules/spend/usage/usage-source.store.ts'
import { createUsageTotals } from '../../modules/spend/usage/usage-totals.store.ts'
import { createChargedUsage } from './charged-days.store.ts'
import { findHostedModel, findNextCheaper, pricedModels } from './other-model.ts'
import { buildParts, findName, isModel, listLengths, pricedPart, requirePriced } from './priced-parts.ts'
import { answerSchema, assumptions, compared, fromBody, shown } from './what-if.fields.ts'

export interface WhatIfPorts extends Pick<RoutePorts, 'database' | 'snapshot'> {
  /** What the parameters of every report mean; those of a lead are held to their team. */
  readonly readQuestion: (
    query: AnalyticsQuery,
    onlyTeamId?: string,
  ) => Promise<{ readonly range: UsageRange; readonly filter: UsageFilter }>
}

const model = text(512).optional()

const whatIfQuery = analyticsQuery.extend({
  from_model: model.meta({ description: 'The model that was called; the one with the highest spend by default.' }),
  to_model: model.meta({
    description: 'The model whose prices are taken; by default that of the next cheaper family.',
  }),
  share: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(30)
    .meta({ description: 'Percent of the calls that would have gone to the other model.' }),
})
type WhatIfQuery = z.infer<typeof whatIfQuery>

export function whatIfRoute(ports: WhatIfPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/analytics/what-if',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: 'What the range would have cost with another model',
    description:
      '`share` percent of the calls to `from_model` are priced as calls to `to_model`, with the tokens that were recorded and the prices in force now. Without names, the model with the highest spend is compared with the next cheaper family. `spend_usd` is everything that the filter takes, `parts` all calls of the model by what makes a price. `what_if` is null when the range has no call to a model (`reason` no_calls) or no cheaper model has a price (no_other_model). `choices` has the models of the range and those with a price.',
    query: whatIfQuery,
    answers: {
      200: { text: 'What it was, and what it would have been', schema: answerSchema },
      ...badInput,
      ...forAdmins,
    },
    handle: ({ query }) => answer(ports, query),
    handleForLead: ({ query }, teamId) => answer(ports, query, teamId),
  })
}

async function answer(ports: WhatIfPorts, query: WhatIfQuery, onlyTeamId?: string) {
  const { from_model: wantedFrom, to_model: wantedTo, share: percent, ...rest } = query
  const known = ports.snapshot()
  const models = pricedModels(known.mappings, known.prices)
  const wanted = wantedTo === undefined ? undefined : requirePriced(known, models, wantedTo)
  const { range, filter } = await ports.readQuestion(rest, onlyTeamId)
  return readUsage(ports.database().kysely, async (reader) => {
    const used = await createUsageTotals(reader).breakdown(range, filter, ['model'])
    const spent = used.reduce((sum, row) => sum + row.cost_nano_usd, 0)
    const from = wantedFrom ?? used.find(({ name }) => isModel(name))?.name
    const hosted = from === undefined ? undefined : findHostedModel(known.mappings, from)
    const to = wanted ?? (hosted === undefined ? undefined : findNextCheaper(models, known.prices, hosted))
    const body = {
      range: rangeBody(range),
      share: percent,
      spend_usd: usdFromNano(spent),
      choices: {
        from: used.filter(({ name }) => isModel(name)).map(({ name }) => findName(known, name)),
        to: models.map(shown),
      },
      assumptions,
    }
    if (from === undefined || to === undefined)
      return ok({
        ...body,
        what_if: null,
        reason: from === undefined ? ('no_calls' as const) : ('no_other_model' as const),
      })
    if (to.hostedModelId === hosted)
      throw invalidParameter(
        'to_model',
        `must be another model than ${modelIdForText(from)}. Leave it out for the next cheaper family.`,
      )
    const lengths = listLengths(known, [to.hostedModelId, hosted])
    const chosen = filter.models === undefined || filter.models.includes(from) ? [from] : []
    const sums = await createChargedUsage(reader).read(range, { ...filter, models: chosen }, lengths)
    const priced = buildParts(known, sums).map((one) => pricedPart(known, one, { from: hosted, to, lengths }))
    const own = used.find(({ name }) => name === from)
    return ok({
      ...body,
      what_if: {
        ...compared(priced, spent, percent),
        from: fromBody(known, from, own?.unpriced ?? 0, priced),
        to: shown(to),
      },
      reason: null,
    })
  })
}
