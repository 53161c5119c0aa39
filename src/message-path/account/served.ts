/** What the hosted service served in a call, as far as its answer told. */
import type { Served } from '../../foundation/domain/build-spend-record.ts'
import type { SpendFlag } from '../../foundation/domain/spend-record.ts'
import { noUsage } from '../../foundation/domain/usage.ts'
import type { Candidate } from '../context.ts'
import type { AnswerFacts } from '../dialect.ts'

export interface SeenAnswer {
  /** Undefined when no part of an answer was seen. */
  readonly facts: AnswerFacts | undefined
  readonly complete: boolean
  readonly clientLeft: boolean
  readonly firstTokenMs: number | null
}

export function toServed(seen: SeenAnswer, { endpoint, modelId }: Candidate, requestBytes: number): Served {
  const { facts } = seen
  return {
    endpointId: endpoint.id,
    region: endpoint.region,
    hostedModel: modelId,
    usage: facts?.usage ?? noUsage,
    isUsageComplete: seen.complete && facts?.usageReported === true,
    requestBytes,
    outputCharacters: facts?.outputCharacters ?? 0,
    stopReason: facts?.stopReason ?? null,
    firstTokenMs: seen.firstTokenMs,
    tools: facts?.toolsCalled ?? [],
  }
}

export function listFlags({ facts, clientLeft }: SeenAnswer): readonly SpendFlag[] {
  const flags: SpendFlag[] = []
  if (clientLeft) flags.push('aborted')
  if (facts?.usageClamped === true) flags.push('clamped')
  return flags
}
