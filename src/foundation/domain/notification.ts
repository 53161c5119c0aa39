/** Notifications: which events there are, and exactly what each kind of destination is sent (spec: Events). */

import type { GrantForm } from './budget-request.ts'

const eventCategories = ['budget', 'rate_limit', 'keys', 'digest'] as const
export type EventCategory = (typeof eventCategories)[number]

export const budgetEventTypes = [
  'budget_warning',
  'budget_shaped',
  'budget_blocked',
  'team_budget_warning',
  'team_budget_shaped',
  'team_budget_blocked',
] as const
export type BudgetEventType = (typeof budgetEventTypes)[number]

export const eventTypes = [
  ...budgetEventTypes,
  'budget_requested',
  'budget_decided',
  'rate_limit_hit',
  'key_expiring',
  'keys_expiring',
  'weekly_digest',
] as const
export type EventType = (typeof eventTypes)[number]

/** `info` asks for nothing, so that whoever is woken up by severity sleeps on. */
export type Severity = 'info' | 'warning' | 'high' | 'critical'

export interface BudgetDetail {
  readonly threshold_percent: number
  readonly spend_usd: number
  readonly limit_usd: number
  readonly percent: number
  readonly period: string
  readonly period_start: string
}

/** Somebody asks for more. The percentage is that of the last rule which their budget has reached, 0 before the first. */
export interface BudgetRequestDetail extends BudgetDetail {
  /** Whether more is asked for the person's own budget or for that of the team. */
  readonly scope: 'user' | 'team'
  readonly requested_usd: number
  readonly reason: string | null
  /** Where it is decided; without an origin while nobody has said under which one the portal is reached. */
  readonly link: string
}

/** What somebody asked for has been decided, so that whoever passes events on can tell them. */
export interface BudgetDecisionDetail {
  readonly scope: 'user' | 'team'
  readonly decision: 'approved' | 'declined'
  readonly requested_usd: number
  /** Null when it was declined. */
  readonly granted_usd: number | null
  readonly granted_as: GrantForm | null
  readonly reason: string | null
  readonly note: string | null
  readonly decided_by: string | null
  /** Where they see how their budget stands; without an origin as above. */
  readonly link: string
}

export interface RateLimitDetail {
  readonly limit_rpm: number
  readonly window_seconds: number
  readonly key_id: string
  readonly key_prefix: string
  readonly rejected_in_window: number
}

/** A key ends soon. */
export interface KeyExpiryDetail {
  readonly key_id: string
  readonly key_prefix: string
  readonly key_name: string
  readonly expires_at: string
  /** Counted up: 1 within the last day. */
  readonly days_left: number
  readonly last_used_at: string | null
  /** The page of the key; without an origin while nobody has said under which one the portal is reached. */
  readonly link: string
}

/** So many keys end soon that they are told together. */
export interface KeysExpiryDetail {
  readonly key_count: number
  readonly first_expires_at: string
  readonly last_expires_at: string
  /** Until the first of them ends, counted up. */
  readonly days_left: number
  /** The list of keys, those that end first at its top. */
  readonly link: string
}

/** Whom an event is about. A team's event names no user, a key may belong to nobody, and many keys to many. */
export interface EventSubject {
  readonly userIdentity: string | null
  readonly teamId: string | null
  readonly teamName: string | null
}

export type NotificationEvent = EventSubject & {
  /** Stays the same over all attempts, so that a receiver can tell a repetition. */
  readonly id: string
  /** ISO 8601 UTC. */
  readonly timestamp: string
} & (
    | { readonly type: BudgetEventType; readonly detail: BudgetDetail }
    | { readonly type: 'budget_requested'; readonly detail: BudgetRequestDetail }
    | { readonly type: 'budget_decided'; readonly detail: BudgetDecisionDetail }
    | { readonly type: 'rate_limit_hit'; readonly detail: RateLimitDetail }
    | { readonly type: 'key_expiring'; readonly detail: KeyExpiryDetail }
    | { readonly type: 'keys_expiring'; readonly detail: KeysExpiryDetail }
    // The extension that composes it decides what it says.
    | { readonly type: 'weekly_digest'; readonly detail: object }
  )

export interface OnceDedupe {
  readonly kind: 'once'
  readonly key: string
}

/** How often an event may be told: once for ever, or at most once in so many seconds. Kept by the database for all instances. */
export type Dedupe = OnceDedupe | { readonly kind: 'interval'; readonly key: string; readonly seconds: number }

export function findCategory(type: EventType): EventCategory {
  if (type === 'key_expiring' || type === 'keys_expiring') return 'keys'
  if (type === 'weekly_digest') return 'digest'
  return type === 'rate_limit_hit' ? 'rate_limit' : 'budget'
}

/** Of a type at its usual; `findSeverity` knows what makes one event worse than others of its type. */
export function usualSeverity(type: EventType): Severity {
  if (type === 'weekly_digest' || type === 'budget_decided') return 'info'
  if (type.endsWith('_blocked')) return 'critical'
  return type.endsWith('_shaped') ? 'high' : 'warning'
}

export function findSeverity(event: NotificationEvent): Severity {
  const isLastDay = (event.type === 'key_expiring' || event.type === 'keys_expiring') && event.detail.days_left <= 1
  return isLastDay ? 'high' : usualSeverity(event.type)
}

const PAYLOAD_VERSION = '1'

/** The body of a webhook and the message of a topic. */
export function toPayload(event: NotificationEvent) {
  return {
    source: 'gateway',
    version: PAYLOAD_VERSION,
    category: findCategory(event.type),
    event_type: event.type,
    severity: findSeverity(event),
    user_identity: event.userIdentity,
    team_id: event.teamId,
    team_name: event.teamName,
    detail: event.detail,
    timestamp: event.timestamp,
  }
}

/**
 * The entry of an event bus: what its envelope says already is not said again inside. The bus gives every delivery an id
 * of its own, so ours stands among the resources, the one place of the envelope that is free.
 */
export function toBusEntry(event: NotificationEvent) {
  const { source: _source, event_type: _type, timestamp: _timestamp, ...detail } = toPayload(event)
  const resources = [`urn:uuid:${event.id}`]
  return { source: 'gateway.notifications', detailType: event.type, time: event.timestamp, resources, detail }
}

const NO_TEAM = '00000000-0000-0000-0000-000000000000'

/** What a test of a destination sends: a well-formed event that no receiver can take for a real person's. */
export function syntheticEvent(id: string, nowMs: number): NotificationEvent {
  const now = new Date(nowMs)
  const periodStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  return {
    id,
    type: 'budget_warning',
    timestamp: now.toISOString(),
    userIdentity: 'notification-test',
    teamId: NO_TEAM,
    teamName: 'Notification test',
    detail: {
      threshold_percent: 80,
      spend_usd: 8,
      limit_usd: 10,
      percent: 80,
      period: 'monthly',
      period_start: periodStart.toISOString(),
    },
  }
}
