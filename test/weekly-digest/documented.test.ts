import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { DigestDetail } from '../../src/extensions/weekly-digest/weekly-digest.ts'

test('the page on notifications has the fields of the digest, in their order', () => {
  const page = readFileSync('docs/guides/notifications.md', 'utf8')
  const week: Record<keyof DigestDetail, true> = {
    from: true,
    to: true,
    tz: true,
    spend_usd: true,
    requests: true,
    errors: true,
    active_users: true,
    tokens: true,
    unpriced_requests: true,
    previous: true,
    change: true,
    top_people: true,
    top_teams: true,
    top_models: true,
    budgets: true,
    endpoints: true,
    expiring_keys: true,
    links: true,
    text: true,
  }
  assert.ok(page.includes(`{${Object.keys(week).join(', ')}}`))
})
