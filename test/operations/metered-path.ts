/** Meters of the message path over a snapshot of the built-in endpoint, and one served call. */

import { createPathMeters } from '../../src/app/path-meters.ts'
import { registryTable } from '../../src/app/telemetry.ts'
import { seedMappings } from '../../src/foundation/domain/model-seed.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createMetrics } from '../../src/foundation/platform/metrics.ts'
import { BUILT_IN_ENDPOINT_ID, builtInSnapshot } from '../../src/foundation/snapshot/built-in-snapshot.memory.ts'
import modelSeed from '../../src/modules/models/model-seed.json' with { type: 'json' }
import { samplesOf } from './scraped.ts'

const createdAt = new Date(0).toISOString()
const snapshot = builtInSnapshot({
  region: 'us-east-1',
  mappings: seedMappings(modelSeed, createdAt),
  prices: [],
  idps: [],
  users: [],
  createdAt,
})

export async function newMeters() {
  const metrics = await createMetrics({
    version: 'test',
    instanceId: 'test',
    otlpEndpoint: null,
    table: registryTable(),
    onPushProblem: () => {},
    onUnreadable: (_name, error) => {
      throw error
    },
  })
  const meters = createPathMeters(metrics.instruments, () => snapshot)
  return { meters, samples: async () => samplesOf(await metrics.scrape()) }
}

export const endpointId = BUILT_IN_ENDPOINT_ID
export const record: SpendRecord = {
  requestId: 'req_1',
  round: 0,
  atMs: 0,
  keyId: null,
  userId: null,
  teamId: null,
  model: 'claude-sonnet-5',
  hostedModel: 'us.anthropic.claude-sonnet-5',
  endpointId,
  streaming: true,
  status: 200,
  errorType: null,
  reason: null,
  stopReason: 'end_turn',
  usage: { inputTokens: 10, outputTokens: 101, cacheReadTokens: 1_000, cacheWrite5mTokens: 20, cacheWrite1hTokens: 30 },
  webSearches: 2,
  costNanoUsd: 1_500_000_000,
  rates: null,
  durationMs: 3_000,
  firstTokenMs: 1_000,
  attempts: [{ endpointId, hostedModel: 'us.anthropic.claude-sonnet-5', status: 200, error: null, durationMs: 2_000 }],
  sessionId: null,
  agentId: null,
  parentAgentId: null,
  tools: ['Bash', 'Bash', 'mcp__secret_server__do', 'invented'],
  betasSent: [],
  betasStripped: ['one', 'two'],
  repairs: ['dropped a field'],
  routing: null,
  flags: [],
}
