/** The reasons of a difference in words, each with its dollars; the largest first. */
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { TokenKind } from '../../foundation/domain/usage-type.ts'
import type { CauseKind, Effect, PricePair } from './effects.ts'

export interface Cause {
  readonly kind: CauseKind
  readonly model: string | null
  readonly account: string | null
  readonly region: string | null
  readonly profile: string | null
  readonly usd: number
  readonly first_day: string
  readonly last_day: string
  readonly days: number
  /** Whether bill and ledger prove it, or it is what is left. */
  readonly is_certain: boolean
  readonly prices: readonly {
    readonly tokens: string
    readonly scope: string
    readonly billed_usd_per_mtok: number
    readonly gateway_usd_per_mtok: number
  }[]
  readonly text: string
}

/** Below this part of the bill a reason is not worth a line; its dollars stay in what is not explained. */
const LEAST_PART = 0.0001

export interface CauseTerms {
  readonly billedNanoUsd: number
  readonly countedNanoUsd: number
  readonly modelName: (model: string) => string
  readonly hasProfiles: boolean
}

export function findCauses(effects: readonly Effect[], terms: CauseTerms): readonly Cause[] {
  const groups = Map.groupBy(effects, nameGroup)
  const least = LEAST_PART * Math.max(terms.billedNanoUsd, terms.countedNanoUsd)
  return [...groups.values()]
    .map((group) => findCause(group, terms))
    .filter((cause): cause is Cause => cause !== undefined && Math.abs(cause.usd) * 1e9 >= Math.max(1, least))
    .sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
}

/** What was called from elsewhere is one line for each place, whatever its models were. */
function nameGroup({ kind, model, account, region, profile }: Effect): string {
  if (kind === 'outside_place') return `${kind}|${account}|${region}`
  if (kind === 'outside_profile') return `${kind}|${profile}`
  if (kind === 'day_partial' || kind === 'day_not_final') return kind
  return `${kind}|${model}|${profile ?? ''}`
}

function findCause(group: readonly Effect[], terms: CauseTerms): Cause | undefined {
  const [first] = group
  if (first === undefined) return undefined
  const days = [...new Set(group.map(({ day }) => day))].sort()
  const models = [...new Set(group.map(({ model }) => terms.modelName(model)))]
  const nanoUsd = Math.round(group.reduce((sum, one) => sum + one.nanoUsd, 0))
  const facts: Facts = {
    ...first,
    nanoUsd,
    models: models.sort(),
    prices: listPrices(group),
    callCount: [...callsByDay(group).values()].reduce((sum, calls) => sum + calls, 0),
    hasProfiles: terms.hasProfiles,
    days,
  }
  return {
    kind: first.kind,
    model: models.length === 1 ? (models[0] ?? null) : null,
    account: first.account,
    region: first.region,
    profile: first.profile,
    usd: usdFromNano(nanoUsd),
    first_day: days[0] ?? '',
    last_day: days.at(-1) ?? '',
    days: days.length,
    is_certain: certain.has(first.kind),
    prices: facts.prices.map(({ kind, reach, billed, gateway }) => ({
      tokens: kindWords[kind],
      scope: reach,
      billed_usd_per_mtok: roundedPrice(billed),
      gateway_usd_per_mtok: roundedPrice(gateway),
    })),
    text: texts[first.kind](facts),
  }
}

const certain: ReadonlySet<CauseKind> = new Set([
  'unpriced_model',
  'price_differs',
  'outside_place',
  'outside_profile',
  'outside_tier',
  'outside_model',
])

/** A day has the same calls for every kind of token. */
function callsByDay(group: readonly Effect[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>()
  for (const effect of group) calls.set(`${effect.day}|${effect.profile}`, effect.calls)
  return calls
}

/** The last pair of prices of each kind of token: of a price that changed the one that holds now. */
function listPrices(group: readonly Effect[]): readonly PricePair[] {
  const found = new Map<string, PricePair>()
  for (const { price } of group.toSorted((a, b) => (a.day < b.day ? -1 : 1)))
    if (price !== undefined) found.set(`${price.kind}|${price.reach}`, price)
  return [...found.values()]
}

const kindWords: Readonly<Record<TokenKind, string>> = {
  input: 'input',
  output: 'output',
  cacheRead: 'cache read',
  cacheWrite5m: 'cache write',
  cacheWrite1h: 'cache write for an hour',
}

interface Facts extends Pick<Effect, 'account' | 'region' | 'profile'> {
  readonly nanoUsd: number
  readonly models: readonly string[]
  readonly prices: readonly PricePair[]
  readonly callCount: number
  readonly hasProfiles: boolean
  readonly days: readonly string[]
}

const texts: Readonly<Record<CauseKind, (facts: Facts) => string>> = {
  unpriced_model: ({ models, callCount }) =>
    `The gateway has no price for ${models.join(', ')}, so the cost of ${callsText(callCount)} is an estimate. Set a price for it.`,
  price_differs: ({ models, prices }) =>
    `${models.join(', ')} is billed at another price than the gateway counted: ${prices.map(priceText).join('; ')}. The price has changed, or yours is discounted.`,
  outside_place: ({ account, region, models }) =>
    `${placeText(account, region)} has no endpoint of the gateway, so ${models.join(', ')} was called there by something else.`,
  outside_profile: ({ profile }) =>
    `No endpoint of the gateway uses the inference profile ${profile}, so something else called it.`,
  outside_tier: ({ models }) =>
    `${models.join(', ')} was used in batches, or in another tier that the gateway never uses, so something else did.`,
  outside_model: ({ models, days }) =>
    `The gateway made no call to ${models.join(', ')} on ${daysText(days)}, so something else did.`,
  outside_same_profile: ({ models, profile }) =>
    `More tokens of ${models.join(', ')} were billed than the gateway counted through ${profile}: something else calls the same inference profile.`,
  outside_same_place: ({ models, hasProfiles }) =>
    `More tokens of ${models.join(', ')} were billed than the gateway counted, in accounts and regions that it uses: something else calls the model there. ${
      hasProfiles
        ? 'The calls go to no application inference profile, so whose they are cannot be told apart.'
        : 'Without resource ids in the report, whose calls they are cannot be told apart.'
    }`,
  estimated_calls: ({ models, callCount }) =>
    `The usage of ${callsText(callCount)} to ${models.join(', ')} was estimated, or they were broken off. The difference is within what they were charged; whether it comes from them cannot be told apart.`,
  day_partial: ({ days }) =>
    `The report seems to cover ${daysText(days)} only in part, so the difference of that time says nothing.`,
  day_not_final: ({ days }) =>
    `The bill of ${daysText(days)} is not final: charges come up to two days later. Compare again then.`,
  not_billed: ({ models }) =>
    `The gateway counted more tokens of ${models.join(', ')} than were billed. The report may lack an account or region that the gateway uses, or its last charges.`,
  not_told: ({ models }) =>
    `The report tells dollars of ${models.join(', ')} and no amounts of tokens, so another price and calls from elsewhere cannot be told apart. A Cost and Usage Report can tell.`,
}

function callsText(calls: number): string {
  return calls === 1 ? 'one call' : `${calls.toLocaleString('en-US')} calls`
}

function daysText(days: readonly string[]): string {
  const [first = '', last = first] = [days[0], days.at(-1)]
  if (days.length <= 2) return days.join(' and ')
  return `${days.length} days from ${first} to ${last}`
}

function placeText(account: string | null, region: string | null): string {
  const parts = [account === null ? undefined : `account ${account}`, region === null ? undefined : `region ${region}`]
  const text = parts.filter((part) => part !== undefined).join(', ')
  return text === '' ? 'A place that the report does not name' : `${text[0]?.toUpperCase()}${text.slice(1)}`
}

function priceText({ kind, reach, billed, gateway }: PricePair): string {
  return `${kindWords[kind]} tokens (${reach}) at ${roundedPrice(billed)} USD per million, counted at ${roundedPrice(gateway)}`
}

function roundedPrice(usd: number): number {
  return Math.round(usd * 10_000) / 10_000
}
