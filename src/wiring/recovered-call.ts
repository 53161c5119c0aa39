/** The record of a call whose process died before its end: served, as far as anybody can know, and estimated. */
import { estimateUsage } from '../data-plane/account/estimate-usage.ts'
import { findPrice } from '../domain/find-price.ts'
import { findFoundationModelId } from '../domain/model-id.ts'
import { costOf, ratesFor } from '../domain/price.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { SpendFlag, SpendRecord } from '../domain/spend-record.ts'
import { noUsage } from '../domain/usage.ts'
import type { OpenCall } from '../state/journal/journal-entry.ts'

/** What proxies write when the connection ended before the answer did. */
const STATUS_NEVER_SENT = 499

export function recoveredRecord(
  call: OpenCall,
  { prices, mappings, endpoints }: Pick<Snapshot, 'prices' | 'mappings' | 'endpoints'>,
): SpendRecord {
  const endpoint = endpoints.get(call.endpointId)
  // An application profile does not name its model; the override that brought the call there does.
  const named = endpoint?.aipOverrides.find(({ aipArn }) => aipArn === call.hostedModel)?.modelId ?? call.hostedModel
  const hostedModelId = findFoundationModelId(mappings.get(named)?.hostedModelId ?? named)
  const region = endpoint?.region ?? null
  const price = findPrice(prices, { invokedId: call.hostedModel, hostedModelId, region })
  const usage = estimateUsage({ usage: noUsage, usageReported: false, outputCharacters: 0 }, call.requestBytes)
  const asked = [...mappings.values()].find((mapping) => mapping.hostedModelId === hostedModelId)
  return {
    requestId: call.requestId,
    round: call.round,
    atMs: call.atMs,
    keyId: call.keyId,
    userId: call.userId,
    teamId: call.teamId,
    model: asked?.vendorPrefix ?? call.hostedModel,
    hostedModel: call.hostedModel,
    endpointId: call.endpointId,
    streaming: call.streaming,
    status: STATUS_NEVER_SENT,
    errorType: 'api_error',
    stopReason: null,
    usage,
    webSearches: 0,
    costNanoUsd: price === undefined ? 0 : costOf(usage, price),
    rates: price === undefined ? null : ratesFor(price, usage),
    durationMs: 0,
    firstTokenMs: null,
    attempts: [],
    sessionId: null,
    agentId: null,
    parentAgentId: null,
    tools: [],
    betasSent: [],
    betasStripped: [],
    repairs: [],
    routing: 'The gateway process ended before the answer did; the tokens are an estimate.',
    flags: flagsOf(call, price === undefined),
  }
}

/** A call of nobody was one of the gateway's own. */
function flagsOf({ keyId, userId }: OpenCall, isUnpriced: boolean): readonly SpendFlag[] {
  const flags: SpendFlag[] = ['estimated', 'aborted']
  if (isUnpriced) flags.push('unpriced')
  if (keyId === null && userId === null) flags.push('probe')
  return flags
}
