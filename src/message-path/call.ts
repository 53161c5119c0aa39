/** One request on its way. Each stage adds what it found, so the compiler keeps their order. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../foundation/domain/caller.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Attempt, Attribution, RequestChanges } from '../foundation/domain/spend-record.ts'
import type { RawContext } from '../foundation/http/route.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import type { AnswerFacts, Dialect } from './dialect.ts'
import type { BudgetHold, BudgetView, CallTrace } from './ports.ts'
import type { MessagesRequest } from './translate/read-request.ts'

/** What a route adds: the client's form, and how the request is read from the body. */
export interface Operation {
  readonly dialect: Dialect
  readonly read: (body: Buffer) => MessagesRequest
}

export interface Arrived extends Operation {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly receivedAtMs: number
  /** Monotonic; durations are measured from it. */
  readonly startedMs: number
  readonly attribution: Attribution
  /** The number of the next record of this request. Only web search makes more than one. */
  readonly round: number
  readonly trace: CallTrace | undefined
  /** Tells the log line why the request failed. */
  readonly explain: RawContext['explain']
  /** What is held of the body while it comes; it may have to be given up when it stalls. */
  readonly holdBody: (bytes: number, giveUp: () => boolean) => boolean
  /** The body has gone to Bedrock and nobody will need it again. */
  readonly releaseBody: () => void
}

export interface Authenticated extends Arrived {
  readonly caller: Caller
}

export interface Received extends Authenticated {
  /** What is remembered of the request while its answer streams: not its body, which may be large. */
  readonly asked: Asked
}

export type Asked = Pick<MessagesRequest, 'model' | 'stream'> & { readonly bytes: number }

export interface RateState {
  readonly limitRpm: number
  readonly remaining: number
  readonly resetSeconds: number
  readonly takenAtMs: number
}

export interface Admitted extends Received {
  /** Null when the caller has no rate limit. */
  readonly rate: RateState | null
}

export interface ResolvedModel {
  /** As the client sent it, `[1m]` included: answers carry it back. */
  readonly requestedId: string
  /** Without `[1m]`: what mappings and AIP overrides are keyed by. */
  readonly logicalId: string
  /** Foundation model id, such as `anthropic.claude-sonnet-5`. */
  readonly hostedModelId: string
  /** A profile id or ARN that the caller named itself; only endpoints that offer exactly this are candidates. */
  readonly namedTarget: string | null
  /** The `[1m]` suffix was there: it means the long-context beta. */
  readonly longContext: boolean
  readonly mapping: ModelMapping | null
}

/** One endpoint that may be asked, with the id that is right on it. */
export interface Candidate {
  readonly endpoint: Endpoint
  /** Profile id or ARN to invoke on this endpoint, and the profile that capabilities are known by. */
  readonly modelId: string
  readonly via: 'aip-override' | 'legacy-profile' | 'cross-region-profile' | 'named-by-caller'
}

export interface Route {
  readonly candidates: readonly Candidate[]
  /** Why in this order, in a sentence for the request log. */
  readonly routing: string
}

export interface Routed extends Admitted, Route {
  readonly model: ResolvedModel
}

export interface Reservation {
  /** Those of the route that have a price, where models need one. */
  readonly candidates: readonly Candidate[]
  /** What was reserved from budgets; null when none applies. */
  readonly hold: BudgetHold | null
  /** The strictest current budget, as it was before this call. */
  readonly budget: BudgetView | null
}

export interface Reserved extends Routed, Reservation {
  /** An estimate of this prompt, when it is one of the samples that estimates are corrected by. */
  readonly estimatedTokens: number | undefined
}

/** What the endpoints were asked. Not the request itself, which may be large. */
export interface Tried {
  /** The endpoint that answered, or the last one that failed. */
  readonly candidate: Candidate
  readonly changes: RequestChanges
  readonly attempts: readonly Attempt[]
}

/** What was seen of an answer. */
export interface SeenAnswer {
  /** Undefined when no part of an answer was seen. */
  readonly facts: AnswerFacts | undefined
  readonly complete: boolean
  readonly clientLeft: boolean
  readonly firstTokenMs: number | null
  /** Until the record is made when it is left out. */
  readonly durationMs?: number
  readonly webSearches?: number
}

/** A request that ended before Bedrock was asked, and how far it had come. */
export type EndedEarly =
  | { readonly stage: 'arrived'; readonly call: Arrived }
  | { readonly stage: 'authenticated'; readonly call: Authenticated }
  | { readonly stage: 'received'; readonly call: Received }
  | { readonly stage: 'admitted'; readonly call: Admitted }
  | { readonly stage: 'routed'; readonly call: Routed }
  | { readonly stage: 'reserved'; readonly call: Reserved }

/** What a call to Bedrock has come to. */
export type EndedAtBedrock =
  /** Endpoints were asked, and none of them served anything. */
  | { readonly stage: 'failed'; readonly call: Reserved; readonly tried: Tried; readonly failure: ProviderFailure }
  /** An endpoint has begun to answer, or may have. */
  | {
      readonly stage: 'served'
      readonly call: Reserved
      readonly tried: Tried
      readonly seen: SeenAnswer
      /** What went wrong all the same, and the status that the client has then. */
      readonly failure: ProviderFailure | null
      readonly status: number
    }

export type Ended = EndedEarly | EndedAtBedrock

const MAX_ATTRIBUTION_LENGTH = 128

export function begin(
  { headers }: IncomingMessage,
  context: RawContext,
  clock: Clock,
): Pick<Arrived, 'requestId' | 'receivedAtMs' | 'startedMs' | 'attribution' | 'round' | 'explain'> {
  const header = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ATTRIBUTION_LENGTH) : null
  }
  return {
    requestId: context.requestId,
    receivedAtMs: clock.nowMs(),
    startedMs: clock.monotonicMs(),
    attribution: {
      sessionId: header('x-claude-code-session-id'),
      agentId: header('x-claude-code-agent-id'),
      parentAgentId: header('x-claude-code-parent-agent-id'),
    },
    round: 0,
    explain: context.explain,
  }
}
