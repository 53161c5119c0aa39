/** The digest as lines of text, for a person who reads it in a chat or a mail. */
import type { DigestDetail } from './weekly-digest.ts'

type Facts = Omit<DigestDetail, 'text'>

export function digestText(digest: Facts): string {
  const { change, previous, budgets, expiring_keys: keys, links } = digest
  return [
    `Week ${digest.from} to ${digest.to} (${digest.tz})`,
    `Spend: ${usd(digest.spend_usd)}${against(change.spend_percent, usd(previous.spend_usd))}`,
    `Calls: ${count(digest.requests)}${against(change.requests_percent, count(previous.requests))}, ${count(digest.errors)} failed`,
    `Tokens: ${count(digest.tokens)}${against(change.tokens_percent, count(previous.tokens))}`,
    `People: ${count(digest.active_users)} (${count(previous.active_users)} the week before)`,
    ...top('Top people', digest.top_people),
    ...top('Top teams', digest.top_teams),
    ...top('Top models', digest.top_models),
    ...budgetLine(budgets),
    ...endpointLine(digest.endpoints),
    ...(keys.count === 0
      ? []
      : [
          `Keys that expire within 7 days: ${some(keys.first, keys.count, ({ key_name: name }) => inLine(name))} ${links.keys}`,
        ]),
    ...(digest.unpriced_requests === 0
      ? []
      : [`Requests for models without a price, whose cost is an estimate: ${count(digest.unpriced_requests)}`]),
    links.analytics,
  ].join('\n')
}

function budgetLine({ worst, count: all }: Facts['budgets']): readonly string[] {
  if (all === 0) return []
  const states = { warning: 'at a warning', shaped: 'slowed down', blocked: 'blocked' }
  const words = some(
    worst,
    all,
    ({ name, status, percent }) => `${inLine(name)} ${states[status]} (${Math.round(percent)} %)`,
  )
  return [`Budgets now: ${words}`]
}

function endpointLine(endpoints: Facts['endpoints']): readonly string[] {
  const failing = endpoints.filter(({ errors }) => errors > 0)
  if (failing.length === 0) return []
  return [
    `Failed calls: ${failing.map(({ endpoint, error_share: part }) => `${inLine(endpoint)} ${(part * 100).toFixed(1)} %`).join(', ')}`,
  ]
}

function top(title: string, rows: Facts['top_people']): readonly string[] {
  return rows.length === 0
    ? []
    : [`${title}: ${rows.map(({ name, spend_usd }) => `${inLine(name)} ${usd(spend_usd)}`).join(', ')}`]
}

function some<T>(shown: readonly T[], all: number, words: (one: T) => string): string {
  const left = all - shown.length
  return `${shown.map(words).join(', ')}${left === 0 ? '' : ` and ${count(left)} more`}`
}

function against(percent: number | null, before: string): string {
  if (percent === null) return ''
  return ` (${percent > 0 ? '+' : ''}${percent.toFixed(1)} % against ${before})`
}

/** Callers may name models as they like: none of them begins a line of its own. */
function inLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}

function usd(amount: number): string {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
