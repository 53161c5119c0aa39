import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import type { LiveEvent } from '../../src/foundation/domain/live-event.ts'
import { createLiveFeed } from '../../src/modules/operations/live-feed.memory.ts'
import { createPacedStream } from '../../src/modules/operations/paced-stream.ts'
import { createRecentEvents } from '../../src/modules/operations/recent-events.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
const watchers = new Set<(event: LiveEvent) => void>()
let mayWatch = true
before(async () => {
  app = await startApiApp({
    ports: {
      live: {
        watch: (take) => {
          watchers.add(take)
          return () => watchers.delete(take)
        },
        mayStillWatch: async () => mayWatch,
      },
    },
  })
})
after(() => app.stop())

test('a viewer gets at most ten events a second, the newest of what waits, and is told how many were left out', async () => {
  const { stream, send, end } = createPacedStream()
  const startedMs = performance.now()
  const times: number[] = []
  let text = ''
  stream.on('data', (bytes: Buffer) => {
    text += bytes
    times.push(performance.now() - startedMs)
  })
  for (let index = 0; index < 5_000; index++) send('request', { index })
  while (times.length < 13) await once(stream, 'data')
  end()
  // The greeting is a comment and no event.
  const events = times.slice(1)
  // A second, less what this process may have waited for the processor when the earlier event came.
  for (const [index, ms] of events.entries())
    if (index >= 10) assert.ok(ms - (events[index - 10] ?? 0) >= 700, `${index} after ${ms}`)
  assert.match(text, /event: left_out\ndata: \{"events":49\d\d\}/)
  const numbers = [...text.matchAll(/"index":(\d+)/g)].map(([, number]) => Number(number))
  assert.ok(
    numbers.slice(1).every((number) => number >= 4_900),
    'old events were kept before new ones',
  )
})

test('a reader that does not read costs a bounded queue and nothing more', () => {
  const { stream, send } = createPacedStream()
  for (let index = 0; index < 100_000; index++) send('request', { index, text: 'x'.repeat(100) })
  assert.ok(stream.readableLength < 100_000)
  stream.destroy()
})

test('whoever loses the role sees the end of the stream, and nobody tells them anything afterwards', async () => {
  const response = await fetch(`${app.url}/admin/events?topics=settings`, {
    headers: { authorization: `Bearer ${app.admin}` },
  })
  const reader = response.body?.getReader()
  await reader?.read()
  assert.equal(watchers.size, 1)
  for (const tell of watchers) {
    tell({ topic: 'health', endpointId: 'e', endpoint: 'us', status: 'unhealthy', reason: 'no', atMs: 0 })
    tell({ topic: 'settings', at: '2026-01-01T00:00:00.000Z', actor: 'root', action: 'team.create', target: null })
  }
  const { value } = (await reader?.read()) ?? {}
  const text = new TextDecoder().decode(value)
  assert.match(text, /^event: settings\ndata: \{.*"action":"team.create".*\}\n\n$/)
  mayWatch = false
  const { done } = (await reader?.read()) ?? {}
  assert.equal(done, true)
  assert.equal(watchers.size, 0)
})

test('calls of other instances and changes by administrators are read from the database, each told once', async () => {
  const told: LiveEvent[] = []
  let statuses: 'healthy' | 'unhealthy' = 'healthy'
  let reads = 0
  const feed = createLiveFeed({
    readRecent: async (sinceMs) => {
      const events = await createRecentEvents(app.database.kysely).read(sinceMs)
      reads += 1
      return events
    },
    endpoints: () => [{ id: 'e', name: 'us' }],
    findHealth: () => ({ status: statuses, reason: null }),
    nowMs: Date.now,
    onError: assert.ifError,
  })
  const log = createSpendLog(app.database.kysely)
  await log.appendBatch([aSpendRecord({ atMs: Date.now() })])
  const stop = feed.watch((event) => told.push(event))
  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(() => reads >= 1)
  const own = aSpendRecord({ atMs: Date.now() })
  const foreign = aSpendRecord({ atMs: Date.now() })
  feed.stored([own])
  statuses = 'unhealthy'
  await log.appendBatch([own, foreign])
  await app.call('POST', '/admin/teams', { as: app.admin, body: { name: 'watched' } })
  await until(() => reads >= 4)
  stop()
  const requests = told.flatMap((event) => (event.topic === 'requests' ? [event.record.requestId] : []))
  assert.deepEqual(requests, [own.requestId, foreign.requestId])
  assert.deepEqual(
    told
      .filter(({ topic }) => topic !== 'requests')
      .map((event) => event.topic)
      .sort(),
    ['health', 'settings'],
  )
  const before = reads
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  assert.equal(reads, before, 'nobody watches, so nothing is read')
})

const turned = ({ topic }: LiveEvent): boolean => topic === 'health'
const aSecondLook = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_200))

test('a page that is loaded again while the database is being read is told of nothing that did not happen', async () => {
  const answers: (() => void)[] = []
  const feed = createLiveFeed({
    readRecent: () => new Promise((resolve) => answers.push(() => resolve([]))),
    endpoints: () => [{ id: 'e', name: 'us' }],
    findHealth: () => ({ status: 'healthy', reason: null }),
    nowMs: Date.now,
    onError: assert.ifError,
  })
  const stop = feed.watch(() => undefined)
  answers.shift()?.()
  await aSecondLook()
  stop()
  const told: LiveEvent[] = []
  feed.watch((event) => told.push(event))
  for (const answer of answers.splice(0)) answer()
  await aSecondLook()
  for (const answer of answers.splice(0)) answer()
  await aSecondLook()
  feed.stop()
  assert.deepEqual(told.filter(turned), [])
})

test('after a first look that failed, what was there before is no news', async () => {
  const old = { id: 'old', event: { topic: 'settings', atMs: 0, actor: 'a', action: 'b', target: null } }
  let looks = 0
  const failures: unknown[] = []
  const feed = createLiveFeed({
    readRecent: async () => {
      looks += 1
      if (looks === 1) throw new Error('away')
      return [old as never]
    },
    endpoints: () => [],
    findHealth: () => ({ status: 'healthy', reason: null }),
    nowMs: Date.now,
    onError: (error) => failures.push(error),
  })
  const told: LiveEvent[] = []
  feed.watch((event) => told.push(event))
  while (looks < 3) await aSecondLook()
  feed.stop()
  assert.deepEqual([told, failures.length], [[], 1])
})
