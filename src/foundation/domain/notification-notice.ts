/** What happened, in the terms of those who notice it, and the event that it becomes. */

import type { BudgetEvent, BudgetRequestNotice } from './budget-event.ts'
import { usdFromNano } from './money.ts'
import type { BudgetDecisionDetail, BudgetEventType, Dedupe, EventSubject, NotificationEvent } from './notification.ts'
import type { User } from './user.ts'

/** A key has been refused for its rate limit. */
export interface RateLimitNotice {
  readonly keyId: string
  readonly keyPrefix: string
  readonly limitRpm: number
  readonly windowSeconds: number
  readonly rejectedInWindow: number
}

export interface Stamp {
  readonly id: string
  readonly timestamp: string
}

/** A key of a team is the team's, also when the person whose it is belongs to another one. */
export function eventSubject(
  user: User | null,
  teamId: string | null,
  teams: ReadonlyMap<string, { readonly name: string }>,
): EventSubject {
  return {
    userIdentity: user === null ? null : (user.email ?? user.subject),
    teamId,
    teamName: teamId === null ? null : (teams.get(teamId)?.name ?? null),
  }
}

function budgetEventType({ scope, type }: BudgetEvent): BudgetEventType {
  return scope === 'team' ? `team_budget_${type}` : `budget_${type}`
}

export function budgetEvent(notice: BudgetEvent, subject: EventSubject, stamp: Stamp): NotificationEvent {
  return {
    ...stamp,
    ...subject,
    type: budgetEventType(notice),
    detail: {
      threshold_percent: notice.threshold,
      spend_usd: usdFromNano(notice.spendNanoUsd),
      limit_usd: usdFromNano(notice.limitNanoUsd),
      percent: Math.round((notice.spendNanoUsd / notice.limitNanoUsd) * 10_000) / 100,
      period: notice.period,
      period_start: new Date(notice.periodStartMs).toISOString(),
    },
  }
}

/** Each threshold once per subject and period. The type too: a warning and a block may stand at the same percentage. */
export function budgetDedupe(notice: BudgetEvent): Dedupe {
  const { scope, subjectId, period, periodStartMs, type, threshold } = notice
  const start = new Date(periodStartMs).toISOString()
  return { kind: 'once', key: [scope, subjectId, period, start, type, threshold].join(' ') }
}

export function budgetRequestedEvent(
  notice: BudgetRequestNotice,
  subject: EventSubject,
  stamp: Stamp,
): NotificationEvent {
  return {
    ...stamp,
    ...subject,
    type: 'budget_requested',
    detail: {
      threshold_percent: notice.threshold,
      spend_usd: usdFromNano(notice.spendNanoUsd),
      limit_usd: usdFromNano(notice.limitNanoUsd),
      percent: Math.round(notice.percent * 100) / 100,
      period: notice.period,
      period_start: new Date(notice.periodStartMs).toISOString(),
      scope: notice.scope,
      requested_usd: usdFromNano(notice.requestedNanoUsd),
      reason: notice.reason,
      link: notice.link,
    },
  }
}

export function budgetRequestedDedupe(requestId: string): Dedupe {
  return { kind: 'once', key: `budget_requested ${requestId}` }
}

export function budgetDecidedEvent(
  detail: BudgetDecisionDetail,
  subject: EventSubject,
  stamp: Stamp,
): NotificationEvent {
  return { ...stamp, ...subject, type: 'budget_decided', detail }
}

export function budgetDecidedDedupe(requestId: string): Dedupe {
  return { kind: 'once', key: `budget_decided ${requestId}` }
}

export function rateLimitEvent(notice: RateLimitNotice, subject: EventSubject, stamp: Stamp): NotificationEvent {
  return {
    ...stamp,
    ...subject,
    type: 'rate_limit_hit',
    detail: {
      limit_rpm: notice.limitRpm,
      window_seconds: notice.windowSeconds,
      key_id: notice.keyId,
      key_prefix: notice.keyPrefix,
      rejected_in_window: notice.rejectedInWindow,
    },
  }
}

/** How long before its end a key is told, in days. The last one is told with more weight. */
export const expiryStages = [
  { days: 7, untilDays: 1 },
  { days: 1, untilDays: 0 },
] as const
export type ExpiryStage = (typeof expiryStages)[number]

/** A key that ends soon. */
export interface KeyExpiryNotice {
  readonly keyId: string
  readonly keyPrefix: string
  readonly keyName: string
  readonly expiresAtMs: number
  readonly lastUsedAtMs: number | null
  readonly link: string
}

export function keyExpiringEvent(notice: KeyExpiryNotice, subject: EventSubject, stamp: Stamp): NotificationEvent {
  return {
    ...stamp,
    ...subject,
    type: 'key_expiring',
    detail: {
      key_id: notice.keyId,
      key_prefix: notice.keyPrefix,
      key_name: notice.keyName,
      expires_at: new Date(notice.expiresAtMs).toISOString(),
      days_left: daysLeft(notice.expiresAtMs, stamp),
      last_used_at: notice.lastUsedAtMs === null ? null : new Date(notice.lastUsedAtMs).toISOString(),
      link: notice.link,
    },
  }
}

/** By its end too: a key that lives longer than was told is told anew. */
export function keyExpiringDedupe({ keyId, expiresAtMs }: KeyExpiryNotice, { days }: ExpiryStage): Dedupe {
  return { kind: 'once', key: `key_expiring ${keyId} ${new Date(expiresAtMs).toISOString()} ${days}` }
}

/** Many keys that end soon. */
export interface KeysExpiryNotice {
  readonly count: number
  readonly firstExpiresAtMs: number
  readonly lastExpiresAtMs: number
  readonly link: string
}

export function keysExpiringEvent(notice: KeysExpiryNotice, stamp: Stamp): NotificationEvent {
  return {
    ...stamp,
    userIdentity: null,
    teamId: null,
    teamName: null,
    type: 'keys_expiring',
    detail: {
      key_count: notice.count,
      first_expires_at: new Date(notice.firstExpiresAtMs).toISOString(),
      last_expires_at: new Date(notice.lastExpiresAtMs).toISOString(),
      days_left: daysLeft(notice.firstExpiresAtMs, stamp),
      link: notice.link,
    },
  }
}

/** Whose keys it is about is kept with the keys, so no two of these are about the same. */
export function keysExpiringDedupe({ id }: Stamp): Dedupe {
  return { kind: 'once', key: `keys_expiring ${id}` }
}

const DAY_MS = 86_400_000

function daysLeft(expiresAtMs: number, { timestamp }: Stamp): number {
  return Math.max(1, Math.ceil((expiresAtMs - Date.parse(timestamp)) / DAY_MS))
}

/** contract: at most once per key per 5 minutes. */
export const RATE_LIMIT_PAUSE_SECONDS = 300

export function rateLimitDedupe(keyId: string): Dedupe {
  return { kind: 'interval', key: `rate_limit_hit ${keyId}`, seconds: RATE_LIMIT_PAUSE_SECONDS }
}
