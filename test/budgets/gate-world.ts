/** Callers, records and snapshots for tests of the budget gate without a gateway around it. */
import type { Budget } from '../../src/foundation/domain/budget.ts'
import type { Caller } from '../../src/foundation/domain/caller.ts'
import type { Price } from '../../src/foundation/domain/price.ts'
import { defaultSettings } from '../../src/foundation/domain/settings.ts'
import type { Snapshot } from '../../src/foundation/domain/snapshot.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { newRequestId } from '../../src/foundation/platform/ids.ts'

export function callerOf(userId: string, teamId: string | null = null): Caller {
  const user = {
    id: userId,
    subject: userId,
    email: null,
    role: 'member',
    grants: [],
    teamId,
    active: true,
    identity: null,
    bootstrap: false,
    sessionEpoch: 0,
    createdAt: '',
  } as const
  return { kind: 'session', sessionId: '', user, team: null }
}

const rates = { input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1 }
const price: Price = { modelId: 'model', scope: 'geo', rates, longContext: null, source: 'seed', updatedAt: '' }

export function snapshotOf(budgets: readonly Budget[], userTopUps: Snapshot['userTopUps'] = new Map()): () => Snapshot {
  const ofScope = (scope: Budget['scope']) =>
    new Map(budgets.filter((one) => one.scope === scope).map((one) => [one.subjectId, one]))
  const snapshot = {
    userBudgets: ofScope('user'),
    teamBudgets: ofScope('team'),
    userTopUps,
    teamTopUps: new Map(),
    users: new Map(),
    settings: defaultSettings,
    prices: new Map([['geo:model', price]]),
  }
  return () => snapshot as unknown as Snapshot
}

export function asEvent(userId: string, costNanoUsd: number, atMs: number): SpendRecord {
  return {
    requestId: newRequestId(),
    round: 0,
    atMs,
    keyId: null,
    userId,
    teamId: null,
    model: 'model',
    hostedModel: 'us.model',
    endpointId: null,
    streaming: false,
    status: 200,
    errorType: null,
    reason: null,
    stopReason: 'end_turn',
    usage: { ...noUsage, inputTokens: 10, outputTokens: 10 },
    webSearches: 0,
    costNanoUsd,
    rates,
    durationMs: 1,
    firstTokenMs: null,
    attempts: [],
    sessionId: null,
    agentId: null,
    parentAgentId: null,
    tools: [],
    betasSent: [],
    betasStripped: [],
    repairs: [],
    routing: null,
    flags: [],
  }
}
