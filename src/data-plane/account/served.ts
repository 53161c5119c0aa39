/** What the hosted service served in a call, estimated where it never told. */
import type { SpendFlag } from '../../domain/spend-record.ts'
import { noUsage } from '../../domain/usage.ts'
import type { Candidate } from '../context.ts'
import type { AnswerFacts } from '../dialect.ts'
import type { Served } from './account.ts'
import { estimateUsage } from './estimate-usage.ts'

export interface ServedInput {
  readonly candidate: Candidate
  /** Undefined when no part of an answer was seen. */
  readonly facts: AnswerFacts | undefined
  readonly requestBytes: number
  readonly complete: boolean
  readonly clientLeft: boolean
  readonly firstTokenMs: number | null
  readonly betasSent: readonly string[]
  readonly betasStripped: readonly string[]
  readonly repairs: readonly string[]
}

export function toServed(input: ServedInput): Served {
  const { facts } = input
  const known = input.complete && facts?.usageReported === true
  const flags: SpendFlag[] = []
  if (!known) flags.push('estimated')
  if (input.clientLeft) flags.push('aborted')
  if (facts?.usageClamped === true) flags.push('clamped')
  const partial = facts ?? { usage: noUsage, usageReported: false, outputCharacters: 0 }
  return {
    candidate: input.candidate,
    usage: known ? partial.usage : estimateUsage(partial, input.requestBytes),
    stopReason: facts?.stopReason ?? null,
    firstTokenMs: input.firstTokenMs,
    tools: facts?.toolsCalled ?? [],
    betasSent: input.betasSent,
    betasStripped: input.betasStripped,
    repairs: input.repairs,
    flags,
  }
}
