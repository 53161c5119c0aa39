/** The digest of a week: which week it is about, when it is due, and what it says. */
import type { NotificationEvent, OnceDedupe } from '../../foundation/domain/notification.ts'
import type { Stamp } from '../../foundation/domain/notification-notice.ts'
import { dayAt, decideRange, type UsageRange } from '../../foundation/domain/usage-range.ts'

export interface DigestFigures {
  readonly spend_usd: number
  readonly requests: number
  readonly errors: number
  readonly active_users: number
  /** Of all kinds: what was read, written and cached. */
  readonly tokens: number
}

interface NamedSpend {
  readonly name: string
  readonly spend_usd: number
  readonly requests: number
  readonly tokens: number
}

/** Against the week before, in percent; null where there was nothing then. */
export type DigestChange = Readonly<Record<'spend_percent' | 'requests_percent' | 'tokens_percent', number | null>>

export interface DigestDetail extends DigestFigures {
  /** Monday and Sunday of the zone. */
  readonly from: string
  readonly to: string
  readonly tz: string
  /** Requests to models without a price; their cost is an estimate. */
  readonly unpriced_requests: number
  readonly previous: DigestFigures
  readonly change: DigestChange
  /** The five dearest of each. */
  readonly top_people: readonly NamedSpend[]
  readonly top_teams: readonly NamedSpend[]
  readonly top_models: readonly NamedSpend[]
  /** Where budgets stand now, those that are at a warning or worse. */
  readonly budgets: {
    readonly count: number
    readonly worst: readonly {
      readonly scope: 'user' | 'team'
      readonly name: string
      readonly status: 'warning' | 'shaped' | 'blocked'
      readonly percent: number
      readonly spend_usd: number
      readonly limit_usd: number
      /** On top of it until the period ends; the percentage goes by both. */
      readonly top_up_usd: number
    }[]
  }
  readonly endpoints: readonly {
    readonly endpoint: string
    readonly requests: number
    readonly errors: number
    /** Of its requests, from 0 to 1. */
    readonly error_share: number
  }[]
  /** Keys that end within seven days from now. */
  readonly expiring_keys: {
    readonly count: number
    readonly first: readonly { readonly key_id: string; readonly key_name: string; readonly expires_at: string }[]
  }
  /** Pages of the portal; without an origin while nobody has said under which one it is reached. */
  readonly links: { readonly analytics: string; readonly budgets: string; readonly keys: string }
  /** All of it for a person to read. */
  readonly text: string
}

const SEND_HOUR = 8
/** An instance that was down in the morning still sends it; later it would be no news. */
const LATE_MS = 36 * 3_600_000

export function lastWholeWeek(nowMs: number, tz: string): UsageRange {
  const monday = findMonday(nowMs, tz)
  const [from, to] = [monday.subtract({ days: 7 }).toString(), monday.subtract({ days: 1 }).toString()]
  const range = decideRange({ days: 7, from, to, granularity: 'auto', tz }, nowMs)
  if ('reason' in range) throw new Error(`the week from ${from} in ${tz} ${range.reason}`)
  return range
}

/** From Monday 08:00 of the zone until Tuesday evening. */
export function isDigestDue(nowMs: number, tz: string): boolean {
  const dueMs = sendTime(findMonday(nowMs, tz), tz)
  return nowMs >= dueMs && nowMs < dueMs + LATE_MS
}

export function nextDigestMs(nowMs: number, tz: string): number {
  const monday = findMonday(nowMs, tz)
  const dueMs = sendTime(monday, tz)
  return nowMs < dueMs ? dueMs : sendTime(monday.add({ days: 7 }), tz)
}

function findMonday(nowMs: number, tz: string): Temporal.PlainDate {
  const today = dayAt(nowMs, tz)
  return today.subtract({ days: today.dayOfWeek - 1 })
}

function sendTime(monday: Temporal.PlainDate, tz: string): number {
  return monday.toZonedDateTime({ timeZone: tz, plainTime: { hour: SEND_HOUR } }).epochMilliseconds
}

export function compareDigests(now: DigestFigures, before: DigestFigures): DigestChange {
  return {
    spend_percent: percentChange(now.spend_usd, before.spend_usd),
    requests_percent: percentChange(now.requests, before.requests),
    tokens_percent: percentChange(now.tokens, before.tokens),
  }
}

function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 10_000) / 100
}

export function weeklyDigestEvent(detail: DigestDetail, stamp: Stamp): NotificationEvent {
  return { ...stamp, userIdentity: null, teamId: null, teamName: null, type: 'weekly_digest', detail }
}

/** By the week alone: another time zone, set meanwhile, makes no second one of it. */
export function weeklyDigestDedupe({ from }: Pick<DigestDetail, 'from'>): OnceDedupe {
  return { kind: 'once', key: `weekly_digest ${from}` }
}
