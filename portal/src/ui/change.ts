/** What became of a number since an earlier time: the amount and the percentage, in words and as cells of a table. */
import { numberFormat } from './formatters.ts'

/** The columns that a compared table has more. */
export const changeHead = ['Before', 'Change', 'Percent'] as const

type Format = (value: number) => string

/** Amounts are billionths of a dollar at the finest: what is beyond comes from the arithmetic of the browser. */
const apart = (now: number, before: number): number => Math.round((now - before) * 1e9) / 1e9

const writeSign = (amount: number): string => (amount > 0 ? '+' : '−')

/** `+$1.20 (+8%)` */
export function changeText(now: number, before: number, format: Format): string {
  const amount = apart(now, before)
  if (amount === 0) return now === 0 ? 'none in either' : 'no change'
  const percent = percentText(now, before)
  return `${writeSign(amount)}${format(Math.abs(amount))} (${percent === '' ? 'none before' : percent})`
}

/** `+8%`; nothing where there was nothing, of which there is no percentage. */
export function percentText(now: number, before: number): string {
  const amount = apart(now, before)
  if (amount === 0) return before === 0 ? '' : '0%'
  if (before === 0) return ''
  const share = Math.abs(amount / before)
  const digits = share < 0.1 ? 1 : 0
  return `${writeSign(amount)}${numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(share)}`
}

export function changeShown(now: number | null, before: number | null, format: Format): readonly string[] {
  if (now === null || before === null) return [before === null ? '–' : format(before), '–', '–']
  const amount = apart(now, before)
  const change = amount === 0 ? format(0) : `${writeSign(amount)}${format(Math.abs(amount))}`
  return [format(before), change, percentText(now, before) || '–']
}

/** The same as numbers, for a file. */
export function changeExact(now: number | null, before: number | null): readonly (number | null)[] {
  if (now === null || before === null) return [before, null, null]
  const amount = apart(now, before)
  return [before, amount, before === 0 ? null : Math.round((amount / Math.abs(before)) * 1e4) / 100]
}
