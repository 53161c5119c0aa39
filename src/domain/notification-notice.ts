/** What happened, in the terms of those who notice it, and the event that it becomes. */
import type { BudgetEvent, BudgetRequestNotice } from './budget-event.ts'
import { usdFromNano } from './money.ts'
import type { BudgetEventType, Dedupe, EventSubject, NotificationEvent } from './notification.ts'

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

/** contract: at most once per key per 5 minutes. */
export const RATE_LIMIT_PAUSE_SECONDS = 300

export function rateLimitDedupe(keyId: string): Dedupe {
  return { kind: 'interval', key: `rate_limit_hit ${keyId}`, seconds: RATE_LIMIT_PAUSE_SECONDS }
}
