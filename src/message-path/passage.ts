/** One call on its way through the path, and the small things several stages need of it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnswerProgress } from '../foundation/domain/build-spend-record.ts'
import { invalidParameter, type Problem, problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { RawContext } from '../foundation/http/route.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import { addBudgetHeaders } from './budget-headers.ts'
import type { Admitted, Authenticated, Candidate, Incoming, Reserved, Routed } from './context.ts'
import { addHostedId, type Dialect } from './dialect.ts'
import type { CallTrace, Charge, HostedCall } from './ports.ts'
import type { PreparedRequest } from './prepare-request.ts'
import type { MessagesRequest } from './translate/read-request.ts'

/** What a route adds: the client's form, and how the request is read from the body. */
export interface Operation {
  readonly dialect: Dialect
  readonly read: (body: Buffer) => MessagesRequest
}

export interface Passage extends Operation {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** How far the call came, for the record of one that was refused. */
  reached: Incoming | Authenticated | Admitted | Routed | Reserved
  asked: Asked | undefined
  /** Of the next hosted call that is recorded. */
  round: number
  /** An estimate of this prompt, when it is one of the samples that estimates are corrected by. */
  estimatedTokens: number | undefined
  readonly trace: CallTrace | undefined
  /** Tells the log line why the request failed. */
  readonly explain: RawContext['explain']
  /** What is held of the body while it comes; it may have to be given up when it stalls. */
  readonly holdBody: (bytes: number, giveUp: () => boolean) => boolean
  /** The body has gone to the hosted service and nobody will need it again. */
  readonly releaseBody: () => void
}

/** What is remembered of a request while its answer streams: not its body, which may be large. */
export type Asked = Pick<MessagesRequest, 'model' | 'stream'> & { readonly bytes: number }

const MAX_ATTRIBUTION_LENGTH = 128

export function begin(request: IncomingMessage, context: RawContext, dialect: Dialect, clock: Clock): Incoming {
  const header = (name: string): string | null => {
    const value = request.headers[name]
    return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ATTRIBUTION_LENGTH) : null
  }
  return {
    requestId: context.requestId,
    receivedAtMs: clock.nowMs(),
    startedMs: clock.monotonicMs(),
    form: dialect.form,
    attribution: {
      sessionId: header('x-claude-code-session-id'),
      agentId: header('x-claude-code-agent-id'),
      parentAgentId: header('x-claude-code-parent-agent-id'),
    },
  }
}

/**
 * Headers that mean something to the hosted service and travel as they are; nothing else of the client's does. A service
 * tier and a latency do not: both have prices of their own, and what is spent must be what is recorded.
 */
const forwardedHeaders = [
  'x-amzn-bedrock-guardrailidentifier',
  'x-amzn-bedrock-guardrailversion',
  'x-amzn-bedrock-trace',
] as const

/** Refused before any endpoint is asked: what cannot be sent would count as the failure of each of them. */
export function forwardedHeaderProblem({ request, dialect }: Passage): Problem | undefined {
  if (dialect.form === 'messages') return undefined
  const name = forwardedHeaders.find((header) => !/^[\x20-\x7e]*$/.test(String(request.headers[header] ?? '')))
  return name && invalidParameter(name, 'must be plain text in ASCII')
}

export function hostedCall(
  { request, dialect, round }: Passage,
  { requestId, receivedAtMs, caller, model, attribution }: Routed,
  candidate: Candidate,
  prepared: PreparedRequest,
  { firstByteTimeoutMs }: { readonly firstByteTimeoutMs: number },
  readProgress?: () => AnswerProgress,
): HostedCall {
  const asked = { model: model.requestedId, hostedModelId: model.hostedModelId, attribution }
  const charge: Charge = { requestId, round, atMs: receivedAtMs, caller, asked }
  const call: HostedCall = {
    endpoint: candidate.endpoint,
    modelId: candidate.modelId,
    body: prepared.body,
    firstByteTimeoutMs,
    charge: readProgress === undefined ? charge : { ...charge, readProgress },
  }
  if (dialect.form === 'messages') return call
  const headers: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return { ...call, headers }
}

export function listCandidates(routed: Routed): readonly [Candidate, ...Candidate[]] {
  const [first, ...others] = routed.candidates
  if (first === undefined) throw problem('no_endpoint')
  return [first, ...others]
}

/** Headers of every answer: which call it was, and where its limits stand as far as it came. */
export function answerHeaders(call: Passage['reached']): Record<string, string> {
  const headers = addHostedId({ 'request-id': call.requestId }, call.form, call.requestId)
  if ('budget' in call && call.budget !== null) addBudgetHeaders(headers, call.budget)
  if ('rate' in call && call.rate !== null) {
    headers['x-ratelimit-limit'] = String(call.rate.limitRpm)
    headers['x-ratelimit-remaining'] = String(call.rate.remaining)
    headers['x-ratelimit-reset'] = String(call.rate.resetSeconds)
  }
  return headers
}

/** Refusals that a hammering client gets by the hundred. */
export function isPaced({ code }: Problem): boolean {
  return code === 'rate_limited' || code === 'budget_shaped'
}

export const unreadableAnswer: ProviderFailure = {
  kind: 'broken',
  status: 502,
  name: 'UnreadableAnswer',
  message: 'The answer of the hosted service is not JSON.',
  retryAfterSeconds: null,
}

/** Something of ours broke when the answer had begun. */
export const gatewayFault: ProviderFailure = {
  kind: 'answered',
  status: 500,
  name: 'GatewayFault',
  message: problem('internal').message,
  retryAfterSeconds: null,
}

export const shuttingDown: ProviderFailure = {
  kind: 'answered',
  status: 503,
  name: 'GatewayStopping',
  message: 'The gateway is being restarted. Please send the request again.',
  retryAfterSeconds: 1,
}
