/** Resources as an administrator would send them, for tests of the stores. */
import { randomBytes } from 'node:crypto'
import type { Actor } from '../../src/foundation/database/audit.ts'
import type { PriceSource } from '../../src/foundation/domain/price.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId, newRequestId } from '../../src/foundation/platform/ids.ts'
import type { NewEndpoint } from '../../src/modules/endpoints/endpoints.store.ts'
import type { NewKey } from '../../src/modules/keys/keys.store.ts'
import type { NewPrice } from '../../src/modules/models/model-prices.store.ts'
import type { NewIdp } from '../../src/modules/sign-in/idps.store.ts'

export const actor: Actor = { name: 'admin', sourceAddress: '127.0.0.1', requestId: 'req_1' }

export function aKey(values: Partial<NewKey> = {}): NewKey {
  return {
    name: 'ci',
    hash: randomBytes(32).toString('hex'),
    prefix: 'sk-proxy-AbCdEfG',
    userId: null,
    teamId: null,
    rateLimitRpm: null,
    allowedModels: null,
    expiresAtMs: null,
    createdBy: 'admin',
    ...values,
  }
}

export function anEndpoint(values: Partial<NewEndpoint> = {}): NewEndpoint {
  return {
    name: `endpoint ${randomBytes(4).toString('hex')}`,
    region: 'us-east-1',
    routingPrefix: 'us',
    priority: 100,
    enabled: true,
    roleArn: null,
    externalId: null,
    inferenceProfileArn: null,
    ...values,
  }
}

export function anIdp(values: Partial<NewIdp> = {}): NewIdp {
  return {
    name: 'Example',
    issuerUrl: `https://${randomBytes(4).toString('hex')}.example.com`,
    audience: 'gateway',
    clientId: null,
    clientSecret: null,
    jwksUrl: null,
    userClaim: 'auto',
    autoProvision: true,
    defaultRole: 'member',
    allowedDomains: ['example.com'],
    enabled: true,
    logout: 'local',
    ...values,
  }
}

export function aPrice(source: PriceSource, input: number): NewPrice {
  return {
    modelId: 'anthropic.claude-sonnet-5',
    scope: 'global',
    rates: { input, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
    longContext: null,
    source,
  }
}

/** A streamed call with one tool, as most are. */
export function aSpendRecord(values: Partial<SpendRecord> = {}): SpendRecord {
  const endpointId = values.endpointId ?? newId()
  return {
    requestId: newRequestId(),
    round: 0,
    atMs: Date.UTC(2026, 5, 15, 12),
    keyId: newId(),
    userId: newId(),
    teamId: newId(),
    model: 'claude-sonnet-4-5-20250929',
    hostedModel: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    endpointId,
    streaming: true,
    status: 200,
    errorType: null,
    reason: null,
    stopReason: 'tool_use',
    usage: {
      inputTokens: 12,
      outputTokens: 431,
      cacheReadTokens: 48_211,
      cacheWrite5mTokens: 1_204,
      cacheWrite1hTokens: 0,
    },
    webSearches: 0,
    costNanoUsd: 25_479_300,
    rates: { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
    durationMs: 8_312,
    firstTokenMs: 912,
    attempts: [
      {
        endpointId,
        hostedModel: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        status: 200,
        error: null,
        durationMs: 8_307,
      },
    ],
    sessionId: newId(),
    agentId: null,
    parentAgentId: null,
    tools: ['Bash'],
    betasSent: ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27', 'fine-grained-tool-streaming'],
    betasStripped: ['prompt-caching-scope-2026-01-05'],
    repairs: [],
    routing: 'sticky: the user stays on primary until 30 minutes without a call',
    flags: [],
    ...values,
  }
}
