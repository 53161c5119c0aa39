import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { createQuotaCache, QUOTA_CACHE_MS } from './quota-cache.memory.ts'

const endpoint: Endpoint = {
  id: 'e',
  name: 'e',
  region: 'us-east-1',
  routingPrefix: 'us',
  priority: 1,
  enabled: true,
  isDefault: true,
  roleArn: null,
  externalId: null,
  inferenceProfileArn: null,
  aipOverrides: [],
  createdAt: '',
}

function cacheWith(answer: () => Promise<readonly string[]>) {
  let asked = 0
  const clock = { ms: 0, nowMs: () => clock.ms, monotonicMs: () => clock.ms }
  const cache = createQuotaCache(clock, () => {
    asked += 1
    return answer()
  })
  return { cache, clock, asked: () => asked }
}

test('quotas are asked for once in five minutes, also by callers at the same moment', async () => {
  const { cache, clock, asked } = cacheWith(async () => ['q'])
  await Promise.all([cache.read(endpoint), cache.read(endpoint)])
  clock.ms = QUOTA_CACHE_MS - 1
  assert.deepEqual(await cache.read(endpoint), { quotas: ['q'], fetchedAtMs: 0 })
  assert.equal(asked(), 1)
  clock.ms = QUOTA_CACHE_MS
  assert.equal((await cache.read(endpoint)).fetchedAtMs, QUOTA_CACHE_MS)
  assert.equal(asked(), 2)
})

test('another account, a failure and a removed endpoint are asked about anew', async () => {
  let fails = true
  const { cache, asked } = cacheWith(async () => {
    if (fails) throw new Error('denied')
    return []
  })
  await assert.rejects(cache.read(endpoint), /denied/)
  fails = false
  await cache.read(endpoint)
  assert.equal(asked(), 2)
  await cache.read({ ...endpoint, name: 'renamed' })
  assert.equal(asked(), 2)
  await cache.read({ ...endpoint, roleArn: 'arn:aws:iam::222222222222:role/x' })
  assert.equal(asked(), 3)
  cache.keepOnly(new Set())
  await cache.read({ ...endpoint, roleArn: 'arn:aws:iam::222222222222:role/x' })
  assert.equal(asked(), 4)
})
