/** What one can ask of the figures, what the address says of it, and how two answers are compared. */
import type { UrlState } from '../../../ui/url-state.ts'

export const measures = [
  { value: 'spend', label: 'Spend' },
  { value: 'requests', label: 'Calls' },
  { value: 'errors', label: 'Failed calls' },
  { value: 'tokens', label: 'All tokens' },
  { value: 'input_tokens', label: 'Input tokens' },
  { value: 'output_tokens', label: 'Output tokens' },
  { value: 'cache_read_tokens', label: 'Cache read tokens' },
  { value: 'cache_write_tokens', label: 'Cache write tokens' },
  { value: 'cache_share', label: 'Share read from the cache' },
  { value: 'p50', label: 'Time to answer, median' },
  { value: 'p95', label: 'Time to answer, 95 of 100' },
  { value: 'p99', label: 'Time to answer, 99 of 100' },
  { value: 'first_token_p50', label: 'First token, median' },
  { value: 'first_token_p95', label: 'First token, 95 of 100' },
] as const
export type ExploredMeasure = (typeof measures)[number]['value']

const allGroups = [
  { value: 'team', label: 'Team' },
  { value: 'user', label: 'Person' },
  { value: 'model', label: 'Model' },
  { value: 'endpoint', label: 'Endpoint' },
  { value: 'time', label: 'Time' },
] as const
export type Group = (typeof allGroups)[number]['value']

const timed: readonly ExploredMeasure[] = ['p50', 'p95', 'p99', 'first_token_p50', 'first_token_p95']

/** Times are kept by model and endpoint alone. */
export function groups(measure: ExploredMeasure): readonly { readonly value: Group; readonly label: string }[] {
  return timed.includes(measure)
    ? allGroups.filter(({ value }) => value === 'model' || value === 'endpoint')
    : allGroups
}

export const tops = ['5', '10', '20', '50', '100'].map((value) => ({ value, label: value }))

const allCharts = [
  { value: 'bars', label: 'Bars' },
  { value: 'area', label: 'Area' },
  { value: 'table', label: 'Table' },
] as const
export type ChartKind = (typeof allCharts)[number]['value']

export function charts(by: Group): readonly { readonly value: ChartKind; readonly label: string }[] {
  return allCharts.filter(({ value }) => value !== 'area' || by === 'time')
}

export interface Question {
  readonly measure: ExploredMeasure
  readonly by: Group
  readonly top: number
  readonly chart: ChartKind
}

/** What a link has made up counts as left out. */
export function questionIn(state: UrlState): Question {
  const measure = measures.find(({ value }) => value === state['measure'])?.value ?? 'spend'
  const possible = groups(measure)
  const by = possible.find(({ value }) => value === state['by'])?.value ?? possible[0]?.value ?? 'team'
  return {
    measure,
    by,
    top: Number(tops.find(({ value }) => value === state['top'])?.value ?? 10),
    chart: charts(by).find(({ value }) => value === state['chart'])?.value ?? 'bars',
  }
}

/** Whether the values of parts are the value of the whole. */
export function isAdditive(measure: ExploredMeasure): boolean {
  return measure !== 'cache_share' && !timed.includes(measure)
}

interface Answered {
  readonly measure: ExploredMeasure
  readonly total: number | null
  readonly rows: readonly { readonly name: string; readonly value: number | null }[]
}

/** What all those had before who are not named now; null where that cannot be told. */
export function othersBefore(now: Answered, before: Answered & { readonly others: unknown }): number | null {
  if (!isAdditive(now.measure) || before.others !== null) return null
  const named = new Set(now.rows.map(({ name }) => name))
  return before.rows.reduce((sum, { name, value }) => sum + (named.has(name) ? 0 : (value ?? 0)), 0)
}
