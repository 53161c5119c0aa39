/** Why a request failed and what to do about it, as lines for people. */
import type { Row } from '../../output/render.ts'
import { milliseconds, money, relativeTime } from '../../output/shown.ts'

export interface FactLine {
  readonly label: string
  readonly text: string
}

/** None for a request that succeeded. `base` is the address of the gateway. */
export function failureLines({ reason, hint }: Row, base: string, nowMs: number): readonly FactLine[] {
  if (reason === null || reason === undefined) return []
  return [
    { label: 'reason', text: reasonText(reason) },
    ...(reason.message === null ? [] : [{ label: 'message', text: String(reason.message) }]),
    ...(reason.limit === null ? [] : [{ label: 'limit', text: limitText(reason.limit, nowMs) }]),
    ...(hint === null || hint === undefined
      ? []
      : [
          { label: 'next step', text: String(hint.text) },
          { label: 'link', text: `${base.replace(/\/$/, '')}${hint.link}` },
        ]),
  ]
}

export function attemptText({ endpoint, status, error, reason, duration_ms: duration }: Row): string {
  const why = reason?.kind === undefined ? error : `${error ?? ''} (${reason.kind})`
  return [endpoint?.name ?? endpoint, status, why, milliseconds(duration)]
    .filter((part) => (part ?? '') !== '')
    .join(' ')
}

function reasonText({ kind, code }: Row): string {
  return kind === code ? String(kind) : `${kind} (${code})`
}

function limitText({ scope, name, limit, used, unit, resets_at: resets }: Row, nowMs: number): string {
  const amounts =
    unit === 'usd'
      ? `${money(used)} of ${money(limit)} spent`
      : `${used} of ${limit} ${String(unit).replaceAll('_', ' ')}`
  return `${scope} ${name}: ${amounts}, resets ${relativeTime(resets, nowMs)}`
}
