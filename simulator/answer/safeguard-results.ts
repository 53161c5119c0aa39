import { isRecord } from '../json-value.ts'
import type { Answer } from './answer.ts'
import { toList } from './prompt-segments.ts'

export type SafeguardResult = {
  readonly type: string
  readonly status: { readonly type: 'available'; readonly tool_uses: Readonly<Record<string, object>> }
}

/** One verdict for each tool call; the simulated model never calls a dangerous tool. Undefined when none were asked for. */
export function judgeToolCalls(
  body: Readonly<Record<string, unknown>>,
  answer: Answer,
): readonly SafeguardResult[] | undefined {
  const asked = toList(body['safeguards']).filter(isRecord)
  if (asked.length === 0) return undefined
  const calls = answer.content.filter(({ type }) => type === 'tool_use')
  const verdict = { type: 'evaluated', outcome: 'not_flagged' }
  const toolUses = Object.fromEntries(calls.map((call) => [String(call['id']), verdict]))
  return asked.map(({ type }) => ({ type: String(type), status: { type: 'available', tool_uses: toolUses } }))
}
