import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  eventTypes,
  findCategory,
  type NotificationEvent,
  toBusEntry,
  toPayload,
  usualSeverity,
} from './notification.ts'
import {
  budgetDedupe,
  budgetEvent,
  budgetRequestedDedupe,
  budgetRequestedEvent,
  expiryStages,
  keyExpiringDedupe,
  keyExpiringEvent,
  keysExpiringEvent,
  rateLimitEvent,
} from './notification-notice.ts'

const stamp = { id: '0190a000-0000-7000-8000-000000000001', timestamp: '2026-11-15T04:00:00.000Z' }
const subject = {
  userIdentity: 'ada@example.com',
  teamId: '0190a000-0000-7000-8000-000000000002',
  teamName: 'Engines',
}
const crossing = {
  type: 'warning',
  scope: 'user',
  subjectId: '0190a000-0000-7000-8000-000000000003',
  threshold: 80,
  spendNanoUsd: 8_123_456_789,
  limitNanoUsd: 10_000_000_000,
  period: 'weekly',
  periodStartMs: Date.UTC(2026, 10, 9),
} as const

test('a webhook and a topic get exactly the fields of the specification', () => {
  assert.deepEqual(toPayload(budgetEvent(crossing, subject, stamp)), {
    source: 'gateway',
    version: '1',
    category: 'budget',
    event_type: 'budget_warning',
    severity: 'warning',
    user_identity: 'ada@example.com',
    team_id: '0190a000-0000-7000-8000-000000000002',
    team_name: 'Engines',
    detail: {
      threshold_percent: 80,
      spend_usd: 8.123456789,
      limit_usd: 10,
      percent: 81.23,
      period: 'weekly',
      period_start: '2026-11-09T00:00:00.000Z',
    },
    timestamp: '2026-11-15T04:00:00.000Z',
  })
})

test('an event bus gets the envelope, and inside nothing that the envelope says', () => {
  const event = budgetEvent(crossing, subject, stamp)
  const { detail, ...envelope } = toBusEntry(event)
  assert.deepEqual(envelope, {
    source: 'gateway.notifications',
    detailType: 'budget_warning',
    time: '2026-11-15T04:00:00.000Z',
    resources: [`urn:uuid:${stamp.id}`],
  })
  assert.deepEqual(detail, {
    version: '1',
    category: 'budget',
    severity: 'warning',
    user_identity: 'ada@example.com',
    team_id: '0190a000-0000-7000-8000-000000000002',
    team_name: 'Engines',
    detail: event.detail,
  })
})

test('a rate-limit event says which key, which limit and how often', () => {
  const notice = { keyId: stamp.id, keyPrefix: 'sk-proxy-ab', limitRpm: 5, windowSeconds: 60, rejectedInWindow: 3 }
  const payload = toPayload(rateLimitEvent(notice, { ...subject, userIdentity: null }, stamp))
  assert.deepEqual(
    [payload.category, payload.event_type, payload.severity, payload.user_identity],
    ['rate_limit', 'rate_limit_hit', 'warning', null],
  )
  assert.deepEqual(payload.detail, {
    limit_rpm: 5,
    window_seconds: 60,
    key_id: stamp.id,
    key_prefix: 'sk-proxy-ab',
    rejected_in_window: 3,
  })
})

test('a request has the six fields of a budget event, and how much, why and where it is decided', () => {
  const { type: _type, subjectId: _subjectId, ...standing } = crossing
  const link = 'https://gateway.example.com/portal#/budget-requests'
  const notice = { ...standing, percent: 81.234567, requestedNanoUsd: 5_500_000_000, reason: 'a release', link }
  const payload = toPayload(budgetRequestedEvent(notice, subject, stamp))
  assert.deepEqual([payload.category, payload.event_type, payload.severity], ['budget', 'budget_requested', 'warning'])
  assert.deepEqual(payload.detail, {
    ...toPayload(budgetEvent(crossing, subject, stamp)).detail,
    scope: 'user',
    requested_usd: 5.5,
    reason: 'a release',
    link,
  })
  assert.notEqual(budgetRequestedDedupe('a').key, budgetRequestedDedupe('b').key)
})

test('a key that ends names itself, its end and its page, and its last day weighs more', () => {
  const endsAt = (time: string) => ({
    keyId: stamp.id,
    keyPrefix: 'sk-proxy-ab',
    keyName: 'ci',
    expiresAtMs: Date.parse(time),
    lastUsedAtMs: Date.UTC(2026, 10, 14),
    link: '/portal#/keys/1',
  })
  const told = (time: string) => toPayload(keyExpiringEvent(endsAt(time), subject, stamp))
  const weekBefore = told('2026-11-22T03:30:00.000Z')
  assert.deepEqual(weekBefore.detail, {
    key_id: stamp.id,
    key_prefix: 'sk-proxy-ab',
    key_name: 'ci',
    expires_at: '2026-11-22T03:30:00.000Z',
    days_left: 7,
    last_used_at: '2026-11-14T00:00:00.000Z',
    link: '/portal#/keys/1',
  })
  assert.deepEqual(
    [weekBefore.category, weekBefore.severity, weekBefore.user_identity],
    ['keys', 'warning', subject.userIdentity],
  )
  assert.equal(told('2026-11-16T04:00:01.000Z').severity, 'warning')
  assert.equal(told('2026-11-16T04:00:00.000Z').severity, 'high')
  const many = { count: 51, firstExpiresAtMs: Date.UTC(2026, 10, 15, 5), lastExpiresAtMs: Date.UTC(2026, 10, 16) }
  const together = toPayload(keysExpiringEvent({ ...many, link: '/portal#/keys' }, stamp))
  assert.deepEqual(
    [together.event_type, together.severity, together.user_identity, together.detail],
    [
      'keys_expiring',
      'high',
      null,
      {
        key_count: 51,
        first_expires_at: '2026-11-15T05:00:00.000Z',
        last_expires_at: '2026-11-16T00:00:00.000Z',
        days_left: 1,
        link: '/portal#/keys',
      },
    ],
  )
  const keys = expiryStages.flatMap((stage) =>
    ['2026-11-22T03:30:00Z', '2026-11-22T03:30:01Z'].map((time) => keyExpiringDedupe(endsAt(time), stage).key),
  )
  assert.equal(new Set(keys).size, 4, 'each stage of each end is told once')
})

test('every type has its category and severity', () => {
  const table = eventTypes.map((type) => [type, findCategory(type), usualSeverity(type)])
  assert.deepEqual(table, [
    ['budget_warning', 'budget', 'warning'],
    ['budget_shaped', 'budget', 'high'],
    ['budget_blocked', 'budget', 'critical'],
    ['team_budget_warning', 'budget', 'warning'],
    ['team_budget_shaped', 'budget', 'high'],
    ['team_budget_blocked', 'budget', 'critical'],
    ['budget_requested', 'budget', 'warning'],
    ['budget_decided', 'budget', 'info'],
    ['rate_limit_hit', 'rate_limit', 'warning'],
    ['key_expiring', 'keys', 'warning'],
    ['keys_expiring', 'keys', 'warning'],
    ['weekly_digest', 'digest', 'info'],
  ])
})

test("a team's crossing becomes the team's event type", () => {
  const readType = (values: Partial<Parameters<typeof budgetEvent>[0]>): NotificationEvent['type'] =>
    budgetEvent({ ...crossing, ...values }, subject, stamp).type
  assert.equal(readType({ scope: 'team', type: 'shaped' }), 'team_budget_shaped')
  assert.equal(readType({ scope: 'user', type: 'blocked' }), 'budget_blocked')
})

test('the key against repetition tells apart scope, subject, period, start, type and threshold, and nothing else', () => {
  const keyOf = (values: object): string => budgetDedupe({ ...crossing, ...values }).key
  const others = [
    { scope: 'team' },
    { subjectId: stamp.id },
    { period: 'daily' },
    { periodStartMs: Date.UTC(2026, 10, 16) },
    { type: 'blocked' },
    { threshold: 100 },
  ].map(keyOf)
  assert.equal(new Set([keyOf({}), ...others]).size, 7)
  assert.equal(keyOf({ spendNanoUsd: 1, limitNanoUsd: 2 }), keyOf({}))
})
