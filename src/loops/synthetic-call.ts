/** One hosted call of the gateway's own, a single token long, and its record in the ledger. */
import type { Endpoint } from '../domain/endpoint.ts'
import { findPrice } from '../domain/find-price.ts'
import { findFoundationModelId } from '../domain/model-id.ts'
import { costOf, ratesFor } from '../domain/price.ts'
import type { ProviderFailure } from '../domain/provider-failure.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { SpendFlag, SpendRecord } from '../domain/spend-record.ts'
import { noUsage, type Usage } from '../domain/usage.ts'
import type { Clock } from '../platform/clock.ts'
import { newRequestId } from '../platform/ids.ts'
import type { BedrockHost, ModelCall } from '../provider/model-host.ts'

export interface SyntheticCall {
  readonly endpoint: Endpoint
  /** Profile id or ARN. */
  readonly modelId: string
  readonly betas: readonly string[]
  readonly streaming: boolean
  /** Why the call is made, for the request log. */
  readonly purpose: string
}

/** Names the record before the call is made: should the process die, the journal makes it. */
type ChargedCall = ModelCall & {
  readonly charge: {
    readonly requestId: string
    readonly round: number
    readonly atMs: number
    readonly caller: null
  }
}

export interface SyntheticPorts {
  /** Notes each call in the journal. */
  readonly host: {
    readonly invoke: (call: ChargedCall, handler: Parameters<BedrockHost['invoke']>[1]) => unknown
    readonly stream: (call: ChargedCall, handler: Parameters<BedrockHost['stream']>[1]) => unknown
  }
  readonly clock: Clock
  readonly snapshot: () => Pick<Snapshot, 'mappings' | 'prices'>
  /** The bill has these calls, so the ledger has them too (contract: Rounds). */
  readonly record: (record: SpendRecord) => Promise<void>
}

/** Undefined when the hosted service answered as it should. */
export type CallFailure = ProviderFailure | undefined

const FIRST_BYTE_TIMEOUT_MS = 30_000

/** Only what every model takes: no thinking, no sampling, no tool choice, since each of them is refused by some. */
function bodyOf(betas: readonly string[]): Buffer {
  return Buffer.from(
    JSON.stringify({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
      ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
    }),
  )
}

export async function callSynthetically(call: SyntheticCall, ports: SyntheticPorts): Promise<CallFailure> {
  const startedAtMs = ports.clock.nowMs()
  const startedMs = ports.clock.monotonicMs()
  const requestId = newRequestId()
  const hosted: ChargedCall = {
    endpoint: call.endpoint,
    modelId: call.modelId,
    body: [bodyOf(call.betas)],
    firstByteTimeoutMs: FIRST_BYTE_TIMEOUT_MS,
    charge: { requestId, round: 0, atMs: startedAtMs, caller: null },
  }
  const answer = await (call.streaming ? streamed(hosted, ports.host) : whole(hosted, ports.host))
  const durationMs = Math.round(ports.clock.monotonicMs() - startedMs)
  await ports.record(toRecord(call, answer, { requestId, startedAtMs, durationMs }, ports.snapshot()))
  return answer.failure
}

interface Answer {
  readonly usage: Usage | undefined
  readonly failure: CallFailure
}

function whole(call: ChargedCall, host: SyntheticPorts['host']): Promise<Answer> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    host.invoke(call, {
      onHead: () => undefined,
      onData: (chunk) => pieces.push(Buffer.from(chunk)),
      onEnd: () => resolve({ usage: usageIn(Buffer.concat(pieces).toString('utf8')), failure: undefined }),
      onFailure: (failure) => resolve({ usage: undefined, failure }),
    })
  })
}

function streamed(call: ChargedCall, host: SyntheticPorts['host']): Promise<Answer> {
  return new Promise((resolve) => {
    let usage: Usage | undefined
    host.stream(call, {
      onHead: () => undefined,
      onEvent: (bytes, base64Start, base64End) => {
        const text = Buffer.from(bytes.toString('latin1', base64Start, base64End), 'base64').toString('utf8')
        usage = usageIn(text, usage) ?? usage
      },
      onReadEnd: () => undefined,
      onEnd: () => resolve({ usage, failure: undefined }),
      // A stream that broke after it had begun was served, and so is billed.
      onFailure: (failure) => resolve({ usage, failure }),
    })
  })
}

/** Undefined when the text reports no usage. A later report of a stream adds to the earlier one. */
function usageIn(text: string, earlier: Usage = noUsage): Usage | undefined {
  try {
    const answer = JSON.parse(text) as { usage?: UsageFields; message?: { usage?: UsageFields } }
    const fields = answer.usage ?? answer.message?.usage
    if (fields === undefined) return undefined
    const count = (value: unknown, known: number) => (Number.isSafeInteger(value) ? Number(value) : known)
    return {
      inputTokens: count(fields.input_tokens, earlier.inputTokens),
      outputTokens: count(fields.output_tokens, earlier.outputTokens),
      cacheReadTokens: count(fields.cache_read_input_tokens, earlier.cacheReadTokens),
      cacheWrite5mTokens: count(fields.cache_creation_input_tokens, earlier.cacheWrite5mTokens),
      cacheWrite1hTokens: 0,
    }
  } catch {
    // failure-modes: unreadable usage. The record is flagged as estimated.
    return undefined
  }
}

type UsageFields = Readonly<
  Partial<Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', unknown>>
>

/** What the synthetic prompt amounts to on the models that have been measured. */
const ESTIMATED_USAGE: Usage = { ...noUsage, inputTokens: 10, outputTokens: 1 }

function toRecord(
  call: SyntheticCall,
  { usage: reported, failure }: Answer,
  made: { readonly requestId: string; readonly startedAtMs: number; readonly durationMs: number },
  snapshot: Pick<Snapshot, 'mappings' | 'prices'>,
): SpendRecord {
  const wasServed = failure === undefined || reported !== undefined
  const usage = wasServed ? (reported ?? ESTIMATED_USAGE) : noUsage
  const hostedModelId = foundationModelOf(call, snapshot)
  const { region } = call.endpoint
  const price = wasServed ? findPrice(snapshot.prices, { invokedId: call.modelId, hostedModelId, region }) : undefined
  const flags: SpendFlag[] = ['probe']
  if (wasServed && reported === undefined) flags.push('estimated')
  if (wasServed && price === undefined) flags.push('unpriced')
  const status = failure?.status ?? 200
  const error = failure === undefined ? null : failure.name || failure.kind
  return {
    requestId: made.requestId,
    round: 0,
    atMs: made.startedAtMs,
    keyId: null,
    userId: null,
    teamId: null,
    model: clientNameOf(hostedModelId, snapshot),
    hostedModel: call.modelId,
    endpointId: call.endpoint.id,
    streaming: call.streaming,
    status,
    errorType: failure === undefined ? null : failure.status === 429 ? 'rate_limit_error' : 'api_error',
    stopReason: null,
    usage,
    webSearches: 0,
    costNanoUsd: price === undefined ? 0 : costOf(usage, price),
    rates: price === undefined ? null : ratesFor(price, usage),
    durationMs: made.durationMs,
    firstTokenMs: null,
    attempts: [{ endpointId: call.endpoint.id, hostedModel: call.modelId, status, error, durationMs: made.durationMs }],
    sessionId: null,
    agentId: null,
    parentAgentId: null,
    tools: [],
    betasSent: call.betas,
    betasStripped: [],
    repairs: [],
    routing: call.purpose,
    flags,
  }
}

/** An application profile does not name its model; the override that brought it here does. */
function foundationModelOf(call: SyntheticCall, snapshot: Pick<Snapshot, 'mappings'>): string {
  const override = call.endpoint.aipOverrides.find(({ aipArn }) => aipArn === call.modelId)
  const named = override === undefined ? call.modelId : override.modelId
  return findFoundationModelId(snapshot.mappings.get(named)?.hostedModelId ?? named) ?? call.modelId
}

/** The name under which clients know the model, so that it stands beside their calls in every chart. */
function clientNameOf(hostedModelId: string, { mappings }: Pick<Snapshot, 'mappings'>): string {
  for (const mapping of mappings.values()) if (mapping.hostedModelId === hostedModelId) return mapping.vendorPrefix
  return hostedModelId
}
