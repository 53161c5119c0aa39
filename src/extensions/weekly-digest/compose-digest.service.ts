/** Puts the digest of the last whole week together, by the same sums as the analytics show. */
import { previousRange } from '../../foundation/domain/usage-range.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import { namedSpend, personSpend, promptTokens, share, totalsBody } from '../../modules/analytics/usage-records.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { listBudgets } from '../../modules/budgets/budget-rows.fields.ts'
import { createExpiryNotices } from '../../modules/keys/expiry-notices.store.ts'
import { readUsage } from '../../modules/spend/usage/usage-reader.store.ts'
import { createUsageTotals, type NamedSums, type UsageTotals } from '../../modules/spend/usage/usage-totals.store.ts'
import { compareDigests, type DigestDetail, type DigestFigures, lastWholeWeek } from './weekly-digest.ts'
import { digestText } from './weekly-digest-text.ts'

const TOP = 5
/** Longer lists are for the portal; a topic takes 256 KB at most. */
const LISTED = 20
const KEY_DAYS = 7

export type DigestPorts = Pick<BudgetPorts, 'database' | 'snapshot' | 'clock' | 'readStandings' | 'findKnownUrl'>

export async function composeDigest(ports: DigestPorts, nowMs: number): Promise<DigestDetail> {
  const { kysely } = ports.database()
  const range = lastWholeWeek(nowMs, ports.snapshot().settings.digest_time_zone)
  const usage = await readUsage(kysely, async (reader) => {
    const store = createUsageTotals(reader)
    return {
      totals: await store.totals(range, {}),
      previous: await store.totals(previousRange(range), {}),
      divided: await store.breakdown(range, {}, ['team', 'model', 'endpoint']),
      people: await store.byPerson(range, {}),
    }
  })
  const [figures, previous] = [readFigures(usage.totals), readFigures(usage.previous)]
  const { from, to, tz } = range
  const facts = {
    from,
    to,
    tz,
    ...figures,
    unpriced_requests: usage.totals.unpriced,
    previous,
    change: compareDigests(figures, previous),
    top_people: personSpend(usage.people).slice(0, TOP),
    top_teams: namedSpend(usage.divided, 'team').slice(0, TOP),
    top_models: namedSpend(usage.divided, 'model').slice(0, TOP),
    budgets: await worstBudgets(ports),
    endpoints: listEndpoints(usage.divided),
    expiring_keys: await endingKeys(ports),
    links: linksTo(ports.findKnownUrl(), { from, to, tz }),
  }
  return { ...facts, text: digestText(facts) }
}

function readFigures(sums: UsageTotals): DigestFigures {
  const totals = totalsBody(sums)
  return {
    spend_usd: totals.spend_usd,
    requests: totals.requests,
    errors: totals.errors,
    active_users: totals.active_users,
    tokens: promptTokens(totals) + totals.output_tokens,
  }
}

async function worstBudgets(ports: DigestPorts): Promise<DigestDetail['budgets']> {
  const all = (await listBudgets(ports, {}, undefined)).flatMap(
    ({ scope, name, status, percent, spend_usd, limit_usd, top_up_usd }) =>
      status === 'ok' ? [] : [{ scope, name, status, percent, spend_usd, limit_usd, top_up_usd }],
  )
  return { count: all.length, worst: all.slice(0, LISTED) }
}

function listEndpoints(divided: readonly NamedSums[]): DigestDetail['endpoints'] {
  return divided
    .filter(({ kind, requests }) => kind === 'endpoint' && requests > 0)
    .map(({ name, requests, errors }) => ({ endpoint: name, requests, errors, error_share: share(errors, requests) }))
    .slice(0, LISTED)
}

async function endingKeys(ports: DigestPorts): Promise<DigestDetail['expiring_keys']> {
  const { count, first } = await createExpiryNotices(ports.database().kysely).ending(KEY_DAYS, LISTED)
  return {
    count,
    first: first.map(({ id, name, expiresAtMs }) => ({
      key_id: id,
      key_name: name,
      expires_at: isoTime(expiresAtMs),
    })),
  }
}

function linksTo(origin = '', week: Readonly<Record<'from' | 'to' | 'tz', string>>): DigestDetail['links'] {
  const to = (page: string): string => `${origin}/portal#/${page}`
  return {
    analytics: to(`org-analytics?${new URLSearchParams({ ...week, compare: 'previous' })}`),
    budgets: to('budgets'),
    keys: to('keys?show=all&sort=expires_at'),
  }
}
