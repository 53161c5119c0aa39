/** What a call must have cost when the hosted service never told the end of it. */
import type { Usage } from '../../domain/usage.ts'

/** Code and prose average between three and four characters a token; the smaller figure never shows spend too low. */
const CHARACTERS_PER_TOKEN = 3.5

export interface PartialFacts {
  readonly usage: Usage
  readonly usageReported: boolean
  readonly outputCharacters: number
}

export function estimateUsage(facts: PartialFacts, requestBytes: number): Usage {
  const prompt = facts.usage.inputTokens + facts.usage.cacheReadTokens + facts.usage.cacheWrite5mTokens
  const seen = Math.ceil(facts.outputCharacters / CHARACTERS_PER_TOKEN)
  return {
    ...facts.usage,
    inputTokens: prompt > 0 ? facts.usage.inputTokens : Math.ceil(requestBytes / CHARACTERS_PER_TOKEN),
    outputTokens: Math.max(facts.usage.outputTokens, seen),
  }
}
