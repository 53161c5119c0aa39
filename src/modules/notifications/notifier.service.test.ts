import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dedupe, NotificationEvent } from '../../foundation/domain/notification.ts'
import { createNotifier } from './notifier.service.ts'

const nobody = { userIdentity: null, teamId: null, teamName: null }
const key = { id: 'key-1', prefix: 'sk-proxy-ab', limitRpm: 5, subject: nobody }
const crossing = (threshold: number) =>
  ({
    type: 'warning',
    scope: 'user',
    subjectId: 'user-1',
    threshold,
    spendNanoUsd: 8,
    limitNanoUsd: 10,
    period: 'daily',
    periodStartMs: 0,
  }) as const

function createFixture() {
  const stored: { readonly event: NotificationEvent; readonly dedupe: Dedupe }[] = []
  const lost: string[] = []
  const state = { isAway: false, nowMs: 0 }
  const notifier = createNotifier({
    clock: { nowMs: () => state.nowMs, monotonicMs: () => state.nowMs },
    enqueue: async (event, dedupe) => {
      if (state.isAway) throw new Error('away')
      stored.push({ event, dedupe })
      return true
    },
    findSubject: () => nobody,
    onLost: (event) => lost.push(event.id),
  })
  return { notifier, state, stored, lost }
}

test('news of an outage of the database wait in order and are stored afterwards, each once', async () => {
  const { notifier, state, stored } = createFixture()
  state.isAway = true
  for (const threshold of [80, 100, 150]) notifier.notify(crossing(threshold))
  await assert.rejects(notifier.flush())
  assert.equal(stored.length, 0)
  state.isAway = false
  await Promise.all([notifier.flush(), notifier.flush()])
  await notifier.flush()
  assert.deepEqual(
    stored.map(({ event }) => event.type === 'budget_warning' && event.detail.threshold_percent),
    [80, 100, 150],
  )
})

test('a long outage loses the oldest, says so, and holds a bounded number', async () => {
  const { notifier, state, stored, lost } = createFixture()
  state.isAway = true
  for (let threshold = 0; threshold < 1_010; threshold += 1) notifier.notify(crossing(threshold))
  await assert.rejects(notifier.flush())
  state.isAway = false
  await notifier.flush()
  assert.deepEqual([stored.length, lost.length], [1_000, 10])
})

test('a key that is refused again and again asks the database once in five minutes', async () => {
  const { notifier, state, stored } = createFixture()
  for (let second = 0; second < 600; second += 1) {
    state.nowMs = second * 1_000
    notifier.rateLimitHit(key)
    notifier.rateLimitHit({ ...key, id: 'key-2' })
  }
  await notifier.flush()
  const ofFirst = stored.filter(({ dedupe }) => dedupe.key === 'rate_limit_hit key-1')
  assert.equal(ofFirst.length, 2)
  assert.equal(stored.length, 4)
  assert.deepEqual(ofFirst[0]?.dedupe, { kind: 'interval', key: 'rate_limit_hit key-1', seconds: 300 })
  assert.deepEqual(ofFirst[0]?.event.detail, {
    limit_rpm: 5,
    window_seconds: 60,
    key_id: 'key-1',
    key_prefix: 'sk-proxy-ab',
    rejected_in_window: 1,
  })
})

test('refusals are counted over the last window only', async () => {
  const { notifier, state, stored } = createFixture()
  notifier.rateLimitHit(key)
  state.nowMs = 299_000
  for (let n = 0; n < 4; n += 1) notifier.rateLimitHit(key)
  state.nowMs = 300_000
  notifier.rateLimitHit(key)
  await notifier.flush()
  const last = stored.at(-1)?.event
  assert.equal(last?.type === 'rate_limit_hit' && last.detail.rejected_in_window, 5)
})
