import { randomUUID } from 'node:crypto'
import type { Behaviour, Script, ScriptMatch, ScriptRequest } from './behaviour.ts'
import { isRecord, parseJson } from './json-value.ts'

export type CallFacts = {
  readonly operation: string
  readonly account: string
  readonly region: string
  readonly accessKey: string
  readonly modelId: string | undefined
  readonly foundationModelId: string | undefined
  readonly body: Buffer
}

type Held = { script: Script }

export type Scripts = {
  add(request: Required<ScriptRequest>): Script
  list(): readonly Script[]
  remove(id: string): boolean
  clear(): void
  /** The first script that fits, in the order they were added; taking it uses one of its times. */
  take(facts: CallFacts): Behaviour | undefined
}

export function createScripts(): Scripts {
  let held: Held[] = []
  return {
    add(request) {
      const script: Script = { id: randomUUID(), taken: 0, ...request }
      held.push({ script })
      return script
    },
    list: () => held.map((item) => item.script),
    remove(id) {
      const before = held.length
      held = held.filter((item) => item.script.id !== id)
      return held.length < before
    },
    clear() {
      held = []
    },
    take(facts) {
      const found = held.find(({ script }) => fits(script.match, facts) && appliesTo(script.behaviour, facts))
      if (!found) return undefined
      const taken = found.script.taken + 1
      found.script = { ...found.script, taken }
      if (found.script.times !== null && taken >= found.script.times) held = held.filter((item) => item !== found)
      return found.script.behaviour
    },
  }
}

function fits(match: ScriptMatch, facts: CallFacts): boolean {
  if (match.operation !== undefined && !isOperation(match.operation, facts.operation)) return false
  if (match.account !== undefined && match.account !== facts.account) return false
  if (match.region !== undefined && match.region !== facts.region) return false
  if (match.accessKey !== undefined && match.accessKey !== facts.accessKey) return false
  if (match.model !== undefined && match.model !== facts.modelId && match.model !== facts.foundationModelId)
    return false
  return match.bodyContains === undefined || facts.body.includes(match.bodyContains)
}

function isOperation(wanted: string, actual: string): boolean {
  return wanted === 'invoke' ? actual.startsWith('InvokeModel') : wanted === actual
}

/** Rejections concern only requests that carry what is rejected; others must not use the script up. */
function appliesTo(behaviour: Behaviour, facts: CallFacts): boolean {
  if (!behaviour.rejectBetas && !behaviour.rejectFields) return true
  const body = parseJson(facts.body)
  if (behaviour.rejectBetas && findRejectedBeta(behaviour.rejectBetas.betas, body) !== undefined) return true
  return behaviour.rejectFields !== undefined && findPresentPath(behaviour.rejectFields.paths, body) !== undefined
}

export function findRejectedBeta(betas: readonly string[], body: unknown): string | undefined {
  const sent = isRecord(body) && Array.isArray(body['anthropic_beta']) ? body['anthropic_beta'] : []
  return betas.find((beta) => sent.includes(beta))
}

/** A path is dotted; `*` stands for any list position. Answers with the concrete path found. */
export function findPresentPath(paths: readonly string[], body: unknown): string | undefined {
  for (const path of paths) {
    const found = walk(body, path.split('.'), [])
    if (found) return found
  }
  return undefined
}

function walk(value: unknown, rest: readonly string[], walked: readonly string[]): string | undefined {
  const [next, ...after] = rest
  if (next === undefined) return walked.join('.')
  // `tools.3.custom.name` is how the service spells the field `name` of a custom tool: the tag is not in the body.
  if (next === 'custom' && isRecord(value) && !('custom' in value)) return walk(value, after, [...walked, next])
  if (next === '*' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = walk(item, after, [...walked, String(index)])
      if (found) return found
    }
    return undefined
  }
  if (Array.isArray(value)) return walk(value[Number(next)], after, [...walked, next])
  return isRecord(value) && next in value ? walk(value[next], after, [...walked, next]) : undefined
}
