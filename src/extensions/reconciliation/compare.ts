/** Compares a report with what the gateway counted: in all, by model, by day and by place, with the reasons for what differs. */
import { type NanoUsd, nanoFromUsd, usdFromNano } from '../../foundation/domain/money.ts'
import { type TokenKind, toModelKey } from '../../foundation/domain/usage-type.ts'
import { type BilledSum, type LeftOutReason, leftOutReasons, type Report } from './billed-usage.ts'
import { findCauses } from './causes.ts'
import { putSideBySide } from './cells.ts'
import type { Counted, Known } from './counted-usage.ts'
import { findEffects } from './effects.ts'
import { listPlaces } from './places.ts'

/** Both sides round, and calls at midnight may stand on either day. */
const MATCH_PERCENT = 0.5
const DAY_MS = 86_400_000
const FINAL_AFTER_MS = 2 * DAY_MS

export interface Question {
  readonly report: Report
  readonly counted: readonly Counted[]
  readonly known: Known
  readonly nowMs: number
  /** Days before it have no records any more. */
  readonly firstKeptDay: string
}

export function compare({ report, counted: all, known, nowMs, firstKeptDay }: Question) {
  const sums = report.sums.filter(({ day }) => day >= firstKeptDay)
  const counted = all.filter(({ day }) => day >= firstKeptDay)
  const gone = report.sums.filter(({ day }) => day < firstKeptDay)
  const both = putSideBySide(sums, counted, known)
  const isFinal = (day: string): boolean => Date.parse(day) + DAY_MS + FINAL_AFTER_MS <= nowMs
  const isPartial = (day: string): boolean => {
    const { covered } = report
    return (
      (covered?.isFirstPartial === true && day === covered.firstDay) ||
      (covered?.isLastPartial === true && day === covered.lastDay)
    )
  }
  const modelName = createModelNames(sums, counted, known)
  const billedNanoUsd = total(sums.map(({ usd }) => nanoFromUsd(usd)))
  const countedNanoUsd = total(counted.map(({ nanoUsd }) => nanoUsd))
  const causes = findCauses(findEffects(both, { isFinal, isPartial }), {
    billedNanoUsd,
    countedNanoUsd,
    modelName,
    hasProfiles: both.hasProfiles,
  })
  const rows = listRows(sums, counted, both.countTokens)
  const explained = total(causes.map(({ usd }) => nanoFromUsd(usd)))
  return {
    totals: {
      ...amounts({ billedNanoUsd, countedNanoUsd }),
      tokens: tokensBody([...rows.values()]),
      unexplained_usd: usdFromNano(billedNanoUsd - countedNanoUsd - explained),
    },
    by_model: bodies(rows, ({ model }) => model).map(({ key, row }) => ({ model: modelName(key), ...row })),
    days: bodies(rows, ({ day, model }) => `${day}|${model}`).map(({ key, row }) => {
      const [day = '', model = ''] = key.split('|')
      return { day, model: modelName(model), is_final: isFinal(day) && !isPartial(day), ...row }
    }),
    places: listPlaces(sums, counted, known).map(({ billedNanoUsd, countedNanoUsd, ...place }) => ({
      ...place,
      ...amounts({ billedNanoUsd, countedNanoUsd }),
    })),
    causes,
    left_out: listLeftOut(report, gone, counted),
  }
}

function total(amounts: readonly NanoUsd[]): NanoUsd {
  return amounts.reduce((sum, one) => sum + one, 0)
}

interface Amounts {
  readonly billedNanoUsd: NanoUsd
  readonly countedNanoUsd: NanoUsd
}

function amounts({ billedNanoUsd, countedNanoUsd }: Amounts) {
  const difference = billedNanoUsd - countedNanoUsd
  const percent = billedNanoUsd === 0 ? null : (difference / billedNanoUsd) * 100
  const isMatch = difference === 0 || (percent !== null && Math.abs(percent) <= MATCH_PERCENT)
  return {
    billed_usd: usdFromNano(billedNanoUsd),
    gateway_usd: usdFromNano(countedNanoUsd),
    difference_usd: usdFromNano(difference),
    difference_percent: percent === null ? null : Math.round(percent * 100) / 100,
    status: isMatch ? ('match' as const) : ('differs' as const),
  }
}

const tokenNames = ['input', 'output', 'cache_read', 'cache_write'] as const
type TokenName = (typeof tokenNames)[number]

const nameOfKind: Readonly<Record<TokenKind, TokenName>> = {
  input: 'input',
  output: 'output',
  cacheRead: 'cache_read',
  cacheWrite5m: 'cache_write',
  cacheWrite1h: 'cache_write',
}

interface Row {
  readonly day: string
  readonly model: string
  billedNanoUsd: NanoUsd
  countedNanoUsd: NanoUsd
  readonly billedTokens: Record<TokenName, number>
  readonly countedTokens: Record<TokenName, number>
  /** Whether the report tells the tokens of everything in it. */
  isTold: boolean
}

const noTokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 } as const

/** By day and model; everything else is a sum of these. */
function listRows(
  sums: readonly BilledSum[],
  counted: readonly Counted[],
  countTokens: (sum: BilledSum) => number,
): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>()
  const findRow = ({ day, model }: { readonly day: string; readonly model: string }): Row => {
    const key = `${day}|${model}`
    const fresh = { billedNanoUsd: 0, countedNanoUsd: 0, billedTokens: { ...noTokens }, countedTokens: { ...noTokens } }
    const row = rows.get(key) ?? { day, model, ...fresh, isTold: true }
    rows.set(key, row)
    return row
  }
  for (const sum of sums) {
    const row = findRow(sum)
    const tokens = countTokens(sum)
    row.billedNanoUsd += nanoFromUsd(sum.usd)
    if (sum.dimension === undefined || Number.isNaN(tokens)) row.isTold = false
    else row.billedTokens[nameOfKind[sum.dimension.kind]] += tokens
  }
  for (const calls of counted) {
    const row = findRow(calls)
    row.countedNanoUsd += calls.nanoUsd
    for (const { kind, tokens } of calls.kinds) row.countedTokens[nameOfKind[kind]] += tokens
  }
  return rows
}

function bodies(rows: ReadonlyMap<string, Row>, keyOf: (row: Row) => string) {
  const groups = Map.groupBy(rows.values(), keyOf)
  return [...groups]
    .map(([key, group]) => ({
      key,
      row: {
        ...amounts({
          billedNanoUsd: total(group.map(({ billedNanoUsd }) => billedNanoUsd)),
          countedNanoUsd: total(group.map(({ countedNanoUsd }) => countedNanoUsd)),
        }),
        tokens: tokensBody(group),
      },
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function tokensBody(rows: readonly Row[]) {
  const sum = (read: (row: Row) => Readonly<Record<TokenName, number>>) => {
    const of = (name: TokenName): number => rows.reduce((tokens, row) => tokens + read(row)[name], 0)
    return { input: of('input'), output: of('output'), cache_read: of('cache_read'), cache_write: of('cache_write') }
  }
  const isTold = rows.every((row) => row.isTold)
  return { billed: isTold ? sum((row) => row.billedTokens) : null, counted: sum((row) => row.countedTokens) }
}

/** By the id that prices and mappings have; else as calls or the bill name it. */
function createModelNames(
  sums: readonly BilledSum[],
  counted: readonly Counted[],
  { mappings, prices }: Known,
): (model: string) => string {
  const names = new Map<string, string>(sums.map(({ model, modelName }) => [model, modelName]))
  for (const { model, modelName } of counted) names.set(model, modelName)
  for (const { hostedModelId } of mappings.values()) names.set(toModelKey(hostedModelId), hostedModelId)
  for (const { modelId } of prices.values()) names.set(toModelKey(modelId), modelId)
  return (model) => names.get(model) || '(not told)'
}

const leftOutTexts: Readonly<Record<LeftOutReason, string>> = {
  other_service: 'Charges for other services',
  other_model: 'Charges of Bedrock for other models and features',
  tax: 'Taxes',
  credit: 'Credits',
  refund: 'Refunds',
  discount: 'Discounts that the bill takes off in lines of their own',
  fee: 'Fees',
  other_type: 'Other lines that are no usage',
  outside_range: 'Charges of days outside of the range',
  records_gone: 'Charges of days whose records the gateway does not keep any more (spend_retention_days)',
}

/** Never a part of the difference, and never hidden either. */
function listLeftOut(report: Report, gone: readonly BilledSum[], counted: readonly Counted[]) {
  const ofBill = leftOutReasons.map((reason) => {
    const usd =
      reason === 'records_gone' ? gone.reduce((sum, one) => sum + one.usd, 0) : report.leftOut.get(reason)?.usd
    const lines = reason === 'records_gone' ? gone.length : report.leftOut.get(reason)?.lines
    return {
      side: 'bill' as const,
      reason: reason as string,
      lines: lines ?? 0,
      usd: usdFromNano(nanoFromUsd(usd ?? 0)),
      text: leftOutTexts[reason],
    }
  })
  const searched = counted.filter(({ searchNanoUsd }) => searchNanoUsd !== 0)
  const ofGateway = {
    side: 'gateway' as const,
    reason: 'web_search',
    lines: total(searched.map(({ calls }) => calls)),
    usd: usdFromNano(total(searched.map(({ searchNanoUsd }) => searchNanoUsd))),
    text: 'Web searches, which the search provider bills and not the cloud',
  }
  return [...ofBill, ofGateway].filter(({ lines }) => lines > 0)
}
