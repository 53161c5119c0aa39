/** The record of a call whose process died before its end: served, as far as anybody can know, and estimated. */
import { buildSpendRecord } from '../../foundation/domain/build-spend-record.ts'
import { gatewayStopped } from '../../foundation/domain/describe-failure.ts'
import { findHostedModelNames } from '../../foundation/domain/hosted-model-names.ts'
import type { OpenCall } from '../../foundation/domain/open-call.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { SpendFlag, SpendRecord } from '../../foundation/domain/spend-record.ts'

/** What proxies write when the connection ended before the answer did. */
const STATUS_NEVER_SENT = 499

const unfinished = { usageReported: false, usageClamped: false, stopReason: null, toolsCalled: [] }

export function recoveredRecord(
  call: OpenCall,
  snapshot: Pick<Snapshot, 'prices' | 'settings' | 'mappings' | 'endpoints'>,
): SpendRecord {
  const { requestId, round, atMs, endpointId, hostedModel, streaming, requestBytes, asked, progress } = call
  const endpoint = snapshot.endpoints.get(endpointId)
  return buildSpendRecord(
    {
      requestId,
      round,
      atMs,
      durationMs: 0,
      payer: call,
      ...(asked ?? findHostedModelNames(hostedModel, endpoint, snapshot)),
      streaming,
      status: STATUS_NEVER_SENT,
      errorType: 'api_error',
      reason: gatewayStopped,
      served: {
        endpointId,
        region: endpoint?.region ?? null,
        hostedModel,
        answer: progress && { ...unfinished, ...progress },
        isComplete: false,
        requestBytes,
      },
      routing: 'The gateway process ended before the answer did; the tokens are an estimate.',
      flags: listFlags(call),
    },
    snapshot,
  )
}

/** A call of nobody was one of the gateway's own. */
function listFlags({ keyId, userId }: OpenCall): readonly SpendFlag[] {
  return keyId === null && userId === null ? ['aborted', 'probe'] : ['aborted']
}
