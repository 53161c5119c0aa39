/** What the caller used: figures, a time series and models; and the caller's own calls. */
import { z } from 'zod'
import { type Caller, findSubject } from '../../foundation/domain/caller.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { withoutAccount } from '../../foundation/domain/model-id.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { listBuckets, previousRange } from '../../foundation/domain/usage-range.ts'
import { badInput, forPersons, forReaders, unknownId } from '../../foundation/http/answers.ts'
import { text } from '../../foundation/http/fields.ts'
import { describePage } from '../../foundation/http/lists.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { isRecord } from '../spend/request-conditions.store.ts'
import { createSpendRequests } from '../spend/spend-requests.store.ts'
import { readUsage, type UsageReader } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals } from '../spend/usage/usage-totals.store.ts'
import { createKeyUsage } from './key-usage.store.ts'
import { requestDetailSchema, requireRequest } from './requests/request-detail.service.ts'
import { requestBodies, requestSchema } from './requests/request-records.fields.ts'
import { buildSearch, searchDescription, searchQuery } from './requests/request-search.fields.ts'
import { rangeBody, rangeQuery, rangeSchema, requireRange } from './usage-query.ts'
import { bucketTime, modelSpend, modelSpendSchema, totalsBody, totalsSchema } from './usage-records.ts'
import { createUsageSeries } from './usage-series.store.ts'

const tag = 'Me'
const ownTotals = totalsSchema.omit({ active_users: true })

export function ownUsageRoutes(ports: RoutePorts): Route[] {
  return [ownUsage(ports), ownRequests(ports), ownRequest(ports)]
}

function ownUsage(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/me/usage',
    access: 'self-read',
    tag,
    summary: 'What I used',
    description:
      'Of the person behind the credential, over all their keys; of the key alone when it belongs to nobody. `previous` is as many days right before.',
    query: z.strictObject(rangeQuery),
    answers: {
      200: {
        text: 'The usage',
        schema: z.object({
          range: rangeSchema,
          totals: ownTotals,
          previous: ownTotals,
          timeseries: z.array(z.object({ bucket: z.iso.datetime(), requests: z.int(), spend_usd: z.number() })),
          by_model: z.array(modelSpendSchema),
        }),
      },
      ...badInput,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, query }) => {
      const range = requireRange(query, ports.clock.nowMs())
      const own = findOwner(requireCaller(caller))
      const buckets = listBuckets(range)
      const usage = await readUsage(ports.database().kysely, async (reader) => {
        const source = buildSource(reader, own)
        return {
          series: await source.byBucket(buckets),
          now: await source.totals(range),
          before: await source.totals(previousRange(range)),
          models: await source.byModel(range),
        }
      })
      const rows = Map.groupBy(usage.series, (row) => row.bucket)
      const { active_users: _now, ...totals } = totalsBody(usage.now)
      const { active_users: _then, ...previous } = totalsBody(usage.before)
      return ok({
        range: rangeBody(range),
        totals,
        previous,
        timeseries: buckets.map(({ startMs }, index) => {
          const own = rows.get(index) ?? []
          return {
            bucket: bucketTime(startMs),
            requests: own.reduce((sum, row) => sum + row.requests, 0),
            spend_usd: usdFromNano(own.reduce((sum, row) => sum + row.cost_nano_usd, 0)),
          }
        }),
        by_model: modelSpend(usage.models),
      })
    },
  })
}

/** Roll-ups are kept by person; the calls of a key that belongs to nobody are summed one by one. */
function buildSource(reader: UsageReader, own: ReturnType<typeof findOwner>) {
  if (own.kind === 'key') return createKeyUsage(reader.db, own.id)
  const filter = { userIds: [own.id] }
  const totals = createUsageTotals(reader)
  const series = createUsageSeries(reader)
  return {
    totals: (range: Parameters<typeof totals.totals>[0]) => totals.totals(range, filter),
    byModel: (range: Parameters<typeof totals.totals>[0]) => totals.breakdown(range, filter, ['model']),
    byBucket: (buckets: Parameters<typeof series.byBucket>[0]) => series.byBucket(buckets, filter),
  }
}

function ownRequests(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/me/requests',
    access: 'self-read',
    tag,
    summary: 'My calls',
    description: searchDescription,
    query: z.strictObject(searchQuery),
    answers: {
      200: { text: 'Calls', schema: describePage(requestSchema) },
      ...badInput,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, query }) => {
      const database = ports.database()
      const search = await buildSearch(database, query)
      const own = findOwner(requireCaller(caller))
      const mine = isRecord(own.kind === 'key' ? 'key' : 'user', own.id)
      const page = await createSpendRequests(database.kysely).list({ ...search, terms: [...search.terms, mine] })
      return ok({ ...page, data: (await requestBodies(database, page.data, 'user')).map(hidingAccount) })
    },
  })
}

function ownRequest(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/me/requests/{request_id}',
    access: 'self-read',
    tag,
    summary: 'One of my requests with routing, attempts, price and, if it failed, the reason',
    description: 'Why a call was slow, was refused or cost what it did. The calls of others are not found.',
    params: z.object({ request_id: text(200) }),
    answers: {
      200: { text: 'The call', schema: requestDetailSchema },
      ...badInput,
      ...unknownId,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, params }) => {
      const own = findOwner(requireCaller(caller))
      const isMine = ({ userId, keyId }: SpendRecord): boolean => (own.kind === 'key' ? keyId : userId) === own.id
      const request = await requireRequest(ports.database(), params.request_id, 'user', isMine)
      return ok({
        ...hidingAccount(request),
        attempts: request.attempts.map(hidingAccount),
        rounds: request.rounds.map(hidingAccount),
      })
    },
  })
}

function hidingAccount<T extends { readonly hosted_model: string | null }>(body: T): T {
  return body.hosted_model === null ? body : { ...body, hosted_model: withoutAccount(body.hosted_model) }
}

/** A key that belongs to nobody stands for itself. */
function findOwner(caller: Caller): { readonly kind: 'person' | 'key'; readonly id: string } {
  if (caller.kind === 'key' && caller.user === null) return { kind: 'key', id: caller.key.id }
  return { kind: 'person', id: findSubject(caller) }
}

function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw problem('missing_credential')
  return caller
}
