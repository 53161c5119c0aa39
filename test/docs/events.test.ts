import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  type BudgetDecisionDetail,
  type BudgetDetail,
  type BudgetRequestDetail,
  eventTypes,
  type KeyExpiryDetail,
  type KeysExpiryDetail,
  type RateLimitDetail,
  syntheticEvent,
  toBusEntry,
  toPayload,
  usualSeverity,
} from '../../src/foundation/domain/notification.ts'

const page = readFileSync('docs/guides/notifications.md', 'utf8')

test('the page on notifications lists every event with its severity, and no other', () => {
  const rows = [...page.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| (\w+) \|/gm)].filter(
    ([, , severity]) => severity !== 'Severity',
  )
  const listed = rows.flatMap(([, names = '', severity = '']) =>
    [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => `${name} ${severity}`),
  )
  assert.deepEqual(listed.sort(), eventTypes.map((type) => `${type} ${usualSeverity(type)}`).sort())
})

test('the sample payload has the fields that receivers get, in their order', () => {
  const sample = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '') as Record<string, Record<string, unknown>>
  const sent = toPayload(syntheticEvent('id', 0))
  assert.deepEqual(Object.keys(sample), Object.keys(sent))
  assert.deepEqual(Object.keys(sample['detail'] ?? {}), Object.keys(sent.detail))
  const bus = toBusEntry(syntheticEvent('id', 0))
  assert.ok(page.includes(`\`${bus.source}\``))
  for (const name of ['source', 'event_type', 'timestamp'])
    assert.ok(!Object.hasOwn(bus.detail, name) && page.includes(`\`${name}\``), name)
  const rate: Record<keyof RateLimitDetail, true> = {
    limit_rpm: true,
    window_seconds: true,
    key_id: true,
    key_prefix: true,
    rejected_in_window: true,
  }
  assert.ok(page.includes(`{${Object.keys(rate).join(', ')}}`))
  const asked: Record<Exclude<keyof BudgetRequestDetail, keyof BudgetDetail>, true> = {
    scope: true,
    requested_usd: true,
    reason: true,
    link: true,
  }
  assert.ok(page.includes(`{${Object.keys(asked).join(', ')}}`))
  const decided: Record<keyof BudgetDecisionDetail, true> = {
    scope: true,
    decision: true,
    requested_usd: true,
    granted_usd: true,
    granted_as: true,
    reason: true,
    note: true,
    decided_by: true,
    link: true,
  }
  assert.ok(page.includes(`{${Object.keys(decided).join(', ')}}`))
  const ending: Record<keyof KeyExpiryDetail, true> = {
    key_id: true,
    key_prefix: true,
    key_name: true,
    expires_at: true,
    days_left: true,
    last_used_at: true,
    link: true,
  }
  assert.ok(page.includes(`{${Object.keys(ending).join(', ')}}`))
  const many: Record<keyof KeysExpiryDetail, true> = {
    key_count: true,
    first_expires_at: true,
    last_expires_at: true,
    days_left: true,
    link: true,
  }
  assert.ok(page.includes(`{${Object.keys(many).join(', ')}}`))
})
