/** Turns the facts of one sample call into its spend record: where it went, what came of it, what it cost. */
import { clientLeft, describeFailure, describeProblem } from '../../../src/foundation/domain/describe-failure.ts'
import { problem } from '../../../src/foundation/domain/errors.ts'
import type { FailureReason } from '../../../src/foundation/domain/failure-reason.ts'
import { findChargedPrice } from '../../../src/foundation/domain/find-price.ts'
import { findFoundationModelId, toProfileId } from '../../../src/foundation/domain/model-id.ts'
import { calculateCost, ratesFor } from '../../../src/foundation/domain/price.ts'
import type { Attempt, SpendFlag, SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { noUsage, type Usage } from '../../../src/foundation/domain/usage.ts'
import { UNPRICED_HOSTED_MODEL, UNPRICED_MODEL } from './model-choice.ts'
import { sampleEndpoints } from './organization.ts'
import type { Random } from './random.ts'
import type { SampleCaller, World } from './world.ts'

export interface CallFacts {
  readonly atMs: number
  readonly model: string
  readonly usage: Usage
  readonly streaming: boolean
  readonly tokensPerSecond: number
  readonly stopReason: string
  readonly tools: readonly string[]
  readonly webSearches: number
  readonly sessionId: string | null
  readonly agentId: string | null
}

const ERROR_SHARE = 0.01
const FAILOVER_SHARE = 0.014
const ABORT_SHARE = 0.007

const throttled: Failure = {
  status: 429,
  type: 'rate_limit_error',
  error: 'ThrottlingException',
  message: 'Too many tokens, please wait before trying again.',
}

const failures: readonly (readonly [Failure, number])[] = [
  [throttled, 42],
  [
    {
      status: 529,
      type: 'overloaded_error',
      error: 'ServiceUnavailableException',
      message: 'Bedrock is unable to process your request.',
    },
    26,
  ],
  [
    {
      status: 400,
      type: 'invalid_request_error',
      error: 'ValidationException',
      message: 'messages.4.content.0.type: Field required',
    },
    24,
  ],
  [
    {
      status: 502,
      type: 'api_error',
      error: 'ModelErrorException',
      message: 'The model encountered an error while processing your request.',
    },
    8,
  ],
]

interface Failure {
  readonly status: number
  readonly type: string
  readonly error: string
  readonly message: string
}

interface Target {
  readonly name: string
  readonly endpointId: string
  readonly hostedModel: string
}

export function makeCall(world: World, caller: SampleCaller, random: Random, facts: CallFacts): SpendRecord {
  const { targets, routing } = findTargets(world, caller, facts.model)
  const [first, second] = targets
  const firstTokenMs = Math.round(random.longTailed(640 + facts.usage.inputTokens / 40, 0.38))
  const durationMs = firstTokenMs + Math.round((facts.usage.outputTokens / facts.tokensPerSecond) * 1_000)
  const record = { ...blank(caller, random, facts), routing }
  if (first === undefined) return record
  if (random.chance(ERROR_SHARE)) return failed(record, targets, random)
  const movesOn = second !== undefined && random.chance(FAILOVER_SHARE)
  const target = movesOn ? second : first
  const lostMs = movesOn ? random.between(80, 900) : 0
  const aborted = facts.streaming && random.chance(ABORT_SHARE)
  const usage = aborted ? cutShort(facts.usage, random) : facts.usage
  const attempts: Attempt[] = [
    ...(movesOn ? [attempt(first, throttled, lostMs)] : []),
    attempt(target, null, durationMs),
  ]
  return {
    ...record,
    ...priced(world, target.hostedModel, usage),
    hostedModel: target.hostedModel,
    endpointId: target.endpointId,
    status: 200,
    reason: aborted ? clientLeft : null,
    stopReason: aborted ? null : facts.stopReason,
    durationMs: durationMs + lostMs + random.between(3, 14),
    firstTokenMs: facts.streaming ? firstTokenMs + lostMs : null,
    attempts,
    tools: aborted ? [] : facts.tools,
    webSearches: facts.webSearches,
    betasSent: betasSent(facts.model),
    betasStripped: ['prompt-caching-scope-2026-01-05', 'redact-thinking-2026-02-12'],
    flags: listFlags(facts.model, aborted),
  }
}

function findTargets(world: World, caller: SampleCaller, model: string) {
  const assigned = caller.team?.routing ?? null
  const names = assigned?.endpoints ?? ['us-east-1']
  const offered = names.flatMap((name): Target[] => {
    const prefix = sampleEndpoints.find((endpoint) => endpoint.name === name)?.routingPrefix
    const endpointId = world.endpoints.get(name)
    const seed = world.models.get(stripContext(model))
    if (prefix === undefined || endpointId === undefined) return []
    if (model === UNPRICED_MODEL) return [{ name, endpointId, hostedModel: UNPRICED_HOSTED_MODEL }]
    if (seed === undefined || !seed.routing_prefixes.includes(prefix)) return []
    return [{ name, endpointId, hostedModel: toProfileId(prefix, seed.hosted_model_id) }]
  })
  const leftOut = names.filter((name) => !offered.some((target) => target.name === name))
  const because =
    assigned === null ? 'no assignment' : assigned.strategy === 'sticky_user' ? 'affinity' : 'best priority'
  const [first, ...others] = offered.map((target) => target.name)
  const tail = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')} (does not have the model)`
  const routing = `${assigned?.strategy ?? 'default endpoint'}: ${first} (${because})${others.map((name) => `, then ${name}`).join('')}${tail}`
  return { targets: offered, routing }
}

function stripContext(model: string): string {
  return model.replace(/\[1m\]$/, '')
}

function blank(caller: SampleCaller, random: Random, facts: CallFacts): SpendRecord {
  return {
    requestId: requestIdAt(facts.atMs, random),
    round: 0,
    atMs: facts.atMs,
    keyId: caller.keyId,
    userId: caller.userId,
    teamId: caller.teamId,
    model: facts.model,
    hostedModel: null,
    endpointId: null,
    streaming: facts.streaming,
    status: 404,
    errorType: 'not_found_error',
    reason: describeProblem(problem('model_not_available', { model: facts.model })),
    stopReason: null,
    usage: noUsage,
    webSearches: 0,
    costNanoUsd: 0,
    rates: null,
    durationMs: random.between(2, 9),
    firstTokenMs: null,
    attempts: [],
    sessionId: facts.sessionId,
    agentId: facts.agentId,
    parentAgentId: null,
    tools: [],
    betasSent: [],
    betasStripped: [],
    repairs: [],
    routing: null,
    flags: [],
  }
}

/** Time-ordered as real ones are; the same call gets the same id each time it is generated, so it is stored once. */
function requestIdAt(atMs: number, random: Random): string {
  return `req_${atMs.toString(16).padStart(12, '0')}7${random.hex(3)}8${random.hex(15)}`
}

function failed(record: SpendRecord, targets: readonly Target[], random: Random): SpendRecord {
  const failure = random.pickWeighted(failures)
  const tried = failure.status === 400 ? targets.slice(0, 1) : targets
  const attempts = tried.map((target) => attempt(target, failure, random.between(60, 1_800)))
  const last = tried.at(-1)
  return {
    ...record,
    hostedModel: last?.hostedModel ?? null,
    endpointId: last?.endpointId ?? null,
    status: failure.status,
    errorType: failure.type,
    reason: describe(failure),
    durationMs: attempts.reduce((sum, one) => sum + one.durationMs, 4),
    attempts,
  }
}

function attempt(target: Target, failure: Failure | null, durationMs: number): Attempt {
  const { endpointId, hostedModel } = target
  if (failure === null) return { endpointId, hostedModel, status: 200, error: null, durationMs }
  const { status, error } = failure
  return { endpointId, hostedModel, status, error, durationMs, reason: describe(failure) }
}

function describe({ status, error: name, message }: Failure): FailureReason {
  return describeFailure({ kind: 'answered', status, name, message, retryAfterSeconds: null })
}

function cutShort(usage: Usage, random: Random): Usage {
  return { ...usage, outputTokens: Math.max(1, Math.round(usage.outputTokens * random.next())) }
}

function priced({ prices }: World, hostedModel: string, usage: Usage) {
  const hostedModelId = findFoundationModelId(hostedModel)
  const price = findChargedPrice(prices, { invokedId: hostedModel, hostedModelId, region: null })
  if (price === undefined) return { usage, costNanoUsd: 0, rates: null, errorType: null }
  return { usage, costNanoUsd: calculateCost(usage, price), rates: ratesFor(price, usage), errorType: null }
}

function betasSent(model: string): readonly string[] {
  const betas = ['claude-code-20250219', 'interleaved-thinking-2025-05-14', 'context-management-2025-06-27']
  if (model.includes('haiku')) return betas
  return [...betas, 'effort-2025-11-24', ...(model.endsWith('[1m]') ? ['context-1m-2025-08-07'] : [])]
}

function listFlags(model: string, aborted: boolean): readonly SpendFlag[] {
  return [
    ...(aborted ? (['aborted'] as const) : []),
    ...(model === UNPRICED_MODEL ? (['price_estimated'] as const) : []),
  ]
}
