/** Notifications: which events there are, and exactly what each kind of destination is sent (spec: Events). */

const eventCategories = ['budget', 'rate_limit'] as const
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
export type EventType = BudgetEventType | 'budget_requested' | 'rate_limit_hit'

export type Severity = 'warning' | 'high' | 'critical'

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

export interface RateLimitDetail {
  readonly limit_rpm: number
  readonly window_seconds: number
  readonly key_id: string
  readonly key_prefix: string
  readonly rejected_in_window: number
}

/** Whom an event is about. A team's event names no user, and a key may belong to nobody. */
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
    | { readonly type: 'rate_limit_hit'; readonly detail: RateLimitDetail }
  )

/** How often an event may be told: once for ever, or at most once in so many seconds. Kept by the database for all instances. */
export type Dedupe =
  | { readonly kind: 'once'; readonly key: string }
  | { readonly kind: 'interval'; readonly key: string; readonly seconds: number }

export function categoryOf(type: EventType): EventCategory {
  return type === 'rate_limit_hit' ? 'rate_limit' : 'budget'
}

export function severityOf(type: EventType): Severity {
  if (type.endsWith('_blocked')) return 'critical'
  return type.endsWith('_shaped') ? 'high' : 'warning'
}

const PAYLOAD_VERSION = '1'

/** The body of a webhook and the message of a topic. */
export function toPayload(event: NotificationEvent) {
  return {
    source: 'gateway',
    version: PAYLOAD_VERSION,
    category: categoryOf(event.type),
    event_type: event.type,
    severity: severityOf(event.type),
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
