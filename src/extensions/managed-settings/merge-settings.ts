/** Decides which settings a client is given: ours, then everybody's document, then the team's. */
import type { WebSearchMode } from '../../foundation/domain/settings.ts'

export type Document = Readonly<Record<string, unknown>>

/** The model picker needs the variable; the web search tool is denied where the gateway would take it out anyway. */
export function ownSettings(mode: WebSearchMode): Document {
  return {
    env: { CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1' },
    ...(mode === 'disabled' ? { permissions: { deny: ['WebSearch'] } } : {}),
  }
}

export function mergeSettings(documents: readonly Document[]): Document {
  return documents.reduce((base, over) => mergeTwo(base, over), {})
}

/** Objects are merged, everything else is replaced, except lists of what is denied: those add up. */
function mergeTwo(base: Document, over: Document): Document {
  const merged = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) merged.set(key, mergeValue(key, merged.get(key), value))
  return Object.fromEntries(merged)
}

function mergeValue(key: string, base: unknown, over: unknown): unknown {
  if (isObject(base) && isObject(over)) return mergeTwo(base, over)
  if (/deny/i.test(key) && Array.isArray(base) && Array.isArray(over)) return [...new Set([...base, ...over])]
  return over
}

function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
