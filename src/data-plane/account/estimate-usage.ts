/** What a call must have cost when the hosted service never told the end of it. */
import { promptTokens, type Usage } from '../../domain/usage.ts'

/** Code and prose average between three and four characters a token; the smaller figure never shows spend too low. */
const CHARACTERS_PER_TOKEN = 3.5

export interface PartialFacts {
  readonly usage: Usage
  readonly usageReported: boolean
  readonly outputCharacters: number
}

export function estimateUsage(facts: PartialFacts, requestBytes: number): Usage {
  const isPromptKnown = promptTokens(facts.usage) > 0
  const seen = Math.ceil(facts.outputCharacters / CHARACTERS_PER_TOKEN)
  return {
    ...facts.usage,
    inputTokens: isPromptKnown ? facts.usage.inputTokens : Math.ceil(requestBytes / CHARACTERS_PER_TOKEN),
    outputTokens: Math.max(facts.usage.outputTokens, seen),
  }
}
