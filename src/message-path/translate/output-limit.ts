/**
 * The most that a model answers with, learned from what it refuses. Clients choose `max_tokens` by tables of their own, which
 * may give a model more than the hosted service does, or not know it at all.
 */
import { findMember } from '../../foundation/platform/json-spans.ts'
import type { FieldChange } from '../../foundation/platform/json-spans-fields.ts'
import { memberAt } from '../../foundation/platform/json-spans-read.ts'
import type { MessagesRequest } from './read-request.ts'

/** How a limit is remembered: as a refusal of everything above it. */
export const OUTPUT_LIMIT_KEY = 'max_tokens.above.'

const wordings = [
  /^max_tokens: \d+ > ([1-9]\d{0,8}), which is the maximum allowed number of output tokens for [\w.:-]+$/i,
  /^the maximum tokens you requested exceeds the model limit of ([1-9]\d{0,8})(?:\. try again with a maximum tokens value that is lower than \1)?\.?$/i,
]

/** Believed only to its very end: a key of the request may begin with the same words. */
export function refusedOutput(text: string): string[] | undefined {
  for (const wording of wordings) {
    const limit = wording.exec(text)?.[1]
    if (limit !== undefined) return [OUTPUT_LIMIT_KEY + limit]
  }
  return undefined
}

/** Undefined where the request keeps its own. A beta for longer answers has a limit of its own, which is not known. */
export function findOutputLimit(
  { maxTokens }: MessagesRequest,
  betas: readonly string[],
  refused: readonly string[] = [],
): number | undefined {
  if (maxTokens === null || refused.length === 0 || betas.some((beta) => beta.startsWith('output-'))) return undefined
  let lowest = maxTokens
  for (const key of refused)
    if (key.startsWith(OUTPUT_LIMIT_KEY)) lowest = Math.min(lowest, Number(key.slice(OUTPUT_LIMIT_KEY.length)))
  return lowest < maxTokens ? lowest : undefined
}

/** The budget for thinking must stay below. One that the plan has written itself is known to be. */
export function lowerOutput(
  limit: number,
  request: MessagesRequest,
  keepsThinking: boolean,
): (readonly [path: string, change: FieldChange])[] {
  const lowered = ['max_tokens', { kind: 'replace', json: String(limit) }] as const
  if (!keepsThinking || thinkingBudget(request) < limit) return [lowered]
  return [lowered, ['thinking.budget_tokens', { kind: 'replace', json: String(limit - 1) }]]
}

export function thinkingBudget({ bytes, document }: MessagesRequest): number {
  const thinking = findMember(document, 'thinking')
  const budget = thinking && memberAt(bytes, thinking.valueStart, 'budget_tokens')
  const tokens = budget && Number(bytes.toString('latin1', budget.valueStart, budget.end))
  return tokens !== undefined && Number.isSafeInteger(tokens + 1) && tokens > 0 ? tokens : 0
}
