/** What the address says of the question, and the answer in one sentence. */
import type { UrlState } from '../../ui/url-state.ts'

export interface WhatIfQuestion {
  /** Undefined: the gateway chooses. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly share: number
}

export const USUAL_SHARE = 30

/** What a link has made up counts as left out. `from` and `to` are the days of the range. */
export function whatIfIn(state: UrlState): WhatIfQuestion {
  return { from: state['was'], to: state['instead'], share: shareIn(state['share']) ?? USUAL_SHARE }
}

/** Whole percents from 1 to 100; undefined for anything else. */
export function shareIn(text: string | undefined): number | undefined {
  return text !== undefined && /^(100|[1-9]\d?)$/.test(text) ? Number(text) : undefined
}

interface Told {
  readonly share: number
  readonly spend_usd: number
  readonly what_if: {
    readonly from: { readonly name: string }
    readonly to: { readonly name: string }
    readonly would_spend_usd: number
    readonly difference_usd: number
    readonly difference_share: number | null
  }
}

/** How numbers are written here. */
interface Formats {
  readonly usd: (value: number) => string
  readonly share: (value: number) => string
}

export function writeSentence({ share, spend_usd: spent, what_if: told }: Told, formats: Formats): string {
  const { usd } = formats
  return `If ${share}% of the calls to ${told.from.name} had gone to ${told.to.name}, this period would have cost ${usd(told.would_spend_usd)} instead of ${usd(spent)}: ${describeDifference(told, formats)}.`
}

function describeDifference(
  { difference_usd: difference, difference_share: share }: Told['what_if'],
  formats: Formats,
): string {
  if (difference === 0) return 'no difference'
  const part = share === null ? '' : ` (${formats.share(Math.abs(share))})`
  return `${formats.usd(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'}${part}`
}
