/** One hosted call of the gateway's own, a single token long, and its record in the ledger. */

import { buildSpendRecord, type ReadAnswer, type Served } from '../../foundation/domain/build-spend-record.ts'
import { describeFailure } from '../../foundation/domain/describe-failure.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { findHostedModelNames } from '../../foundation/domain/hosted-model-names.ts'
import type { HostedCall, ModelHost } from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { noPayer, type SpendRecord } from '../../foundation/domain/spend-record.ts'
import { noUsage } from '../../foundation/domain/usage.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { newRequestId } from '../../foundation/platform/ids.ts'
import { attemptWhole } from '../../message-path/call-provider/attempt.ts'
import { messagesDialect } from '../../message-path/messages-dialect.ts'

export interface SyntheticCall {
  readonly endpoint: Endpoint
  /** Profile id or ARN. */
  readonly modelId: string
  readonly betas: readonly string[]
  /** Members of the body that the call is about. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly streaming: boolean
  /** Why the call is made, for the request log. */
  readonly purpose: string
}

export interface SyntheticPorts {
  /** Notes each call in the journal. */
  readonly host: Pick<ModelHost, 'invoke' | 'stream'>
  readonly clock: Clock
  readonly snapshot: () => Pick<Snapshot, 'mappings' | 'prices' | 'settings'>
  /** The bill has these calls, so the ledger has them too (contract: Rounds). */
  readonly record: (record: SpendRecord) => Promise<void>
}

/** Undefined when the hosted service answered as it should. */
export type CallFailure = ProviderFailure | undefined

const FIRST_BYTE_TIMEOUT_MS = 30_000

/** Only what every model takes: no thinking, no sampling, no tool choice, since each of them is refused by some. */
function buildBody({ betas, fields }: SyntheticCall): Buffer {
  return Buffer.from(
    JSON.stringify({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
      ...fields,
      ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
    }),
  )
}

export async function callSynthetically(call: SyntheticCall, ports: SyntheticPorts): Promise<CallFailure> {
  const atMs = ports.clock.nowMs()
  const startedMs = ports.clock.monotonicMs()
  const requestId = newRequestId()
  const hosted: HostedCall = {
    endpoint: call.endpoint,
    modelId: call.modelId,
    body: [buildBody(call)],
    firstByteTimeoutMs: FIRST_BYTE_TIMEOUT_MS,
    charge: { requestId, round: 0, atMs, caller: null },
  }
  const answer = await (call.streaming ? streamed(hosted, ports.host) : whole(hosted, ports.host))
  const durationMs = Math.round(ports.clock.monotonicMs() - startedMs)
  await ports.record(toRecord(call, answer, { requestId, atMs, durationMs }, ports.snapshot()))
  return answer.failure
}

interface Answer {
  readonly facts: ReadAnswer | undefined
  readonly hasBegun: boolean
  readonly failure: CallFailure
}

async function whole(call: HostedCall, { invoke }: SyntheticPorts['host']): Promise<Answer> {
  const result = await attemptWhole(invoke, call, () => {})
  if (result.kind === 'failed')
    return { facts: undefined, hasBegun: result.head !== undefined, failure: result.failure }
  const { body, headers } = result.answer
  const facts = messagesDialect.translateWhole(body, call.modelId, headers)?.facts
  return { facts, hasBegun: true, failure: undefined }
}

function streamed(call: HostedCall, { stream }: SyntheticPorts['host']): Promise<Answer> {
  return new Promise((resolve) => {
    const { add, take, facts } = messagesDialect.translateStream(call.modelId)
    let hasBegun = false
    const end = (failure: CallFailure): void => resolve({ facts: facts(), hasBegun, failure })
    stream(call, {
      onHead: () => undefined,
      onData: (...event) => {
        hasBegun = true
        add(...event)
        take()
      },
      onReadEnd: () => undefined,
      onEnd: () => end(undefined),
      onFailure: end,
    })
  })
}

const unread = { usage: noUsage, usageReported: false, usageClamped: false }

interface MadeCall {
  readonly requestId: string
  readonly atMs: number
  readonly durationMs: number
}

function toRecord(
  call: SyntheticCall,
  { facts, hasBegun, failure }: Answer,
  made: MadeCall,
  snapshot: Pick<Snapshot, 'mappings' | 'prices' | 'settings'>,
): SpendRecord {
  const { endpoint, modelId: hostedModel, betas, streaming, purpose } = call
  const status = failure?.status ?? 200
  const error = failure === undefined ? null : failure.name || failure.kind
  const reason = failure === undefined ? null : describeFailure(failure)
  const served: Served = {
    endpointId: endpoint.id,
    region: endpoint.region,
    hostedModel,
    answer: { ...(facts ?? unread), outputCharacters: 1, stopReason: null, toolsCalled: [] },
    isComplete: failure === undefined,
    requestBytes: buildBody(call).length,
  }
  return buildSpendRecord(
    {
      ...made,
      round: 0,
      payer: noPayer,
      ...findHostedModelNames(hostedModel, endpoint, snapshot),
      streaming,
      status,
      errorType: failure === undefined ? null : failure.status === 429 ? 'rate_limit_error' : 'api_error',
      reason,
      // An answer that broke after it had begun is billed.
      ...(failure === undefined || hasBegun ? { served } : {}),
      attempts: [{ endpointId: endpoint.id, hostedModel, status, error, reason, durationMs: made.durationMs }],
      changes: { betasSent: betas, betasStripped: [], repairs: [] },
      routing: purpose,
      flags: ['probe'],
    },
    snapshot,
  )
}
