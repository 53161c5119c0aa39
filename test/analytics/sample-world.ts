/** An organization with every kind of record, made from a fixed seed, for checks of the numbers. */
import type { Attempt, SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage, closeUsageBlocks } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import type { ApiApp } from '../support/api-app.ts'

export interface SampleWorld {
  readonly records: readonly SpendRecord[]
  /** Names of whatever ids are in the records. */
  readonly names: ReadonlyMap<string, string>
  readonly teamNames: readonly string[]
  readonly subjects: readonly string[]
  readonly endpointNames: readonly string[]
}

export const models = ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5', 'claude-next']

/** Two weeks around the night in which New York sets its clocks back, and one in spring. */
const spans = [
  { fromMs: Date.UTC(2026, 9, 25), days: 14 },
  { fromMs: Date.UTC(2026, 2, 6), days: 5 },
]

/** Its records are in every sum. */
export async function makeWorld(app: ApiApp, count: number): Promise<SampleWorld> {
  const random = createRandom(20_261_101)
  const names = new Map<string, string>()
  const teamIds: string[] = []
  for (const name of ['Platform', 'Mobile, Web', '=Data']) teamIds.push(remember(names, await app.addTeam(name), name))
  const people: { readonly id: string; readonly teamId: string | null }[] = []
  for (let index = 0; index < 7; index++) {
    const user = await app.addUser({ subject: `person${index}@example.com`, teamId: teamIds[index % 3] ?? null })
    people.push({
      id: remember(names, user.id, user.subject),
      teamId: index === 6 ? null : (teamIds[index % 3] ?? null),
    })
  }
  const keyId = remember(names, (await app.addKey({ name: '-key "1"' })).id, '-key "1"')
  const endpointIds: string[] = []
  for (const name of ['us', 'eu']) {
    const endpoint = await createEndpointStore(app.database.kysely).insert(anEndpoint({ name }))
    endpointIds.push(remember(names, endpoint.id, name))
  }
  const records = Array.from({ length: count }, () => makeRecords(random, people, keyId, endpointIds)).flat()
  await createSpendLog(app.database.kysely).appendBatch(records)
  // Whoever is gone keeps the name in every answer.
  await app.call('DELETE', `/admin/users/${people[5]?.id}`, { as: app.admin })
  await catchUpUsage(app.database.kysely)
  await closeUsageBlocks(app.database.kysely, Date.UTC(2027, 0, 1))
  return {
    records,
    names,
    teamNames: ['Platform', 'Mobile, Web', '=Data'],
    subjects: people.map(({ id }) => names.get(id) ?? ''),
    endpointNames: ['us', 'eu'],
  }
}

function remember(names: Map<string, string>, id: string, name: string): string {
  names.set(id, name)
  return id
}

interface Random {
  readonly next: () => number
  readonly below: (limit: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}

export function createRandom(seed: number): Random {
  let state = seed
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return { next, below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}

const tools = ['Bash', 'Read', 'mcp__github__search', 'mcp__github__merge', 'mcp__jira__get__issue', 'mcp__odd']

export function makeRecords(
  random: Random,
  people: readonly { readonly id: string; readonly teamId: string | null }[],
  keyId: string,
  endpointIds: readonly string[],
): SpendRecord[] {
  const span = random.pick(spans)
  const person = random.next() < 0.9 ? random.pick(people) : { id: null, teamId: null }
  const endpointId = random.pick(endpointIds)
  const fate = random.next()
  const failed = fate < 0.08
  const unpriced = fate > 0.95
  const usage = {
    inputTokens: random.below(5_000),
    outputTokens: random.below(3_000),
    cacheReadTokens: random.below(90_000),
    cacheWrite5mTokens: random.below(9_000),
    cacheWrite1hTokens: random.below(3) === 0 ? random.below(5_000) : 0,
  }
  const rates = { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }
  const record = aSpendRecord({
    atMs: span.fromMs + random.below(span.days * 86_400_000),
    userId: person.id,
    teamId: person.teamId,
    keyId: person.id === null ? keyId : null,
    endpointId,
    model: random.pick(models),
    status: failed ? random.pick([400, 429, 529]) : 200,
    errorType: failed || fate > 0.93 ? 'api_error' : null,
    usage: failed ? noUsage : usage,
    costNanoUsd: failed || unpriced ? 0 : random.below(2_000_000_000),
    rates: failed || unpriced ? null : rates,
    durationMs: Math.round(Math.exp(4 + random.next() * 6)),
    firstTokenMs: failed || random.next() < 0.3 ? null : Math.round(Math.exp(3 + random.next() * 4)),
    attempts: makeAttempts(random, endpointId, endpointIds),
    tools: failed ? [] : Array.from({ length: random.below(4) }, () => random.pick(tools)),
    flags: failed
      ? []
      : [...(fate > 0.935 && fate < 0.945 ? (['aborted'] as const) : []), ...(unpriced ? (['unpriced'] as const) : [])],
  })
  if (fate > 0.2 && fate < 0.23) return [asProbe(record)]
  if (failed || random.next() > 0.1) return [record]
  return [
    record,
    { ...record, round: 1, atMs: record.atMs + 40, webSearches: 1 + random.below(3), tools: ['web_search'] },
  ]
}

function asProbe(record: SpendRecord): SpendRecord {
  return {
    ...record,
    userId: null,
    teamId: null,
    keyId: null,
    sessionId: null,
    tools: [],
    flags: ['probe'],
    attempts: [],
  }
}

function makeAttempts(random: Random, last: string, endpointIds: readonly string[]): readonly Attempt[] {
  const attempt = (endpointId: string, status: number): Attempt => ({
    endpointId,
    hostedModel: 'us.m',
    status,
    error: status === 200 ? null : 'ThrottlingException',
    durationMs: 10,
  })
  const luck = random.next()
  if (luck < 0.7) return [attempt(last, 200)]
  const other = endpointIds.find((id) => id !== last) ?? last
  if (luck < 0.8) return [attempt(other, 429), attempt(last, 200)]
  if (luck < 0.9) return [attempt(last, 429), attempt(last, 200)]
  return [attempt(last, 503), attempt(other, 429), attempt(last, 200)]
}
