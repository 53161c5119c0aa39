/** What a call must have cost when the hosted service never told the end of it. */
import { promptTokens, type Usage } from './usage.ts'

/** Code and prose average between three and four characters a token; the smaller figure never shows spend too low. */
const CHARACTERS_PER_TOKEN = 3.5

export interface PartialUsage {
  readonly usage: Usage
  readonly requestBytes: number
  readonly outputCharacters: number
}

export function estimateUsage({ usage, requestBytes, outputCharacters }: PartialUsage): Usage {
  const isPromptKnown = promptTokens(usage) > 0
  const seen = Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN)
  return {
    ...usage,
    inputTokens: isPromptKnown ? usage.inputTokens : Math.ceil(requestBytes / CHARACTERS_PER_TOKEN),
    outputTokens: Math.max(usage.outputTokens, seen),
  }
}
