/** One sitting with a coding assistant: a context that grows call by call, read from the prompt cache again and again. */
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import type { Usage } from '../../../src/foundation/domain/usage.ts'
import { makeCall } from './make-call.ts'
import type { SessionModels, Tier } from './model-choice.ts'
import type { Random } from './random.ts'
import { pickTools } from './tools-called.ts'
import type { SampleCaller, World } from './world.ts'

export interface SessionPlan {
  readonly caller: SampleCaller
  readonly models: SessionModels
  readonly startMs: number
  /** How long the client asks the cache to keep what it wrote. */
  readonly cacheTtl: '5m' | '1h'
}

const tokensPerSecond: Readonly<Record<Tier, number>> = { large: 62, middle: 84, small: 150 }
const cacheTtlMs = { '5m': 300_000, '1h': 3_600_000 } as const
const COMPACT_ABOVE_TOKENS = 165_000
const MOST_CALLS = 90

export function makeSession(world: World, plan: SessionPlan, random: Random): SpendRecord[] {
  const { caller, models } = plan
  const sessionId = makeUuid(random)
  const records: SpendRecord[] = []
  const context = createContext(random, plan.cacheTtl)
  const calls = Math.min(MOST_CALLS, 3 + Math.round(random.longTailed(12, 0.8)))
  let atMs = plan.startMs
  records.push(helperCall(world, plan, random, { atMs: atMs + random.between(40, 400), sessionId }))
  for (let turn = 1; turn <= calls; turn++) {
    const outputTokens = Math.round(random.longTailed(520, 0.9))
    const isLast = turn === calls
    const usesTools = !isLast && random.chance(0.8)
    const tools = usesTools ? pickTools(random, caller.team?.name ?? null) : []
    const delegates = usesTools && random.chance(0.025)
    const searches = usesTools && random.chance(0.012)
    const record = makeCall(world, caller, random, {
      atMs,
      model: models.main,
      usage: context.next(atMs, outputTokens),
      streaming: true,
      tokensPerSecond: tokensPerSecond[models.tier],
      stopReason: usesTools ? 'tool_use' : random.chance(0.015) ? 'max_tokens' : 'end_turn',
      tools: delegates ? ['Task'] : searches ? ['WebSearch'] : tools,
      webSearches: searches ? 1 : 0,
      sessionId,
      agentId: null,
    })
    records.push(record)
    if (delegates) records.push(...subAgent(world, plan, random, { atMs: atMs + record.durationMs, sessionId }))
    atMs = (records.at(-1)?.atMs ?? atMs) + record.durationMs + pauseMs(random, usesTools)
  }
  return records
}

/** Tools answer in seconds; people read, think and go for coffee. */
function pauseMs(random: Random, usesTools: boolean): number {
  return Math.round(usesTools ? random.longTailed(5_000, 1) : random.longTailed(75_000, 1.1))
}

function createContext(random: Random, ttl: '5m' | '1h') {
  let cachedTokens = 0
  // Tools and system text are the same for everybody, so a colleague may have warmed the cache.
  const prefixTokens = random.between(16_000, 27_000)
  if (random.chance(0.4)) cachedTokens = prefixTokens
  let promptTokens = prefixTokens + random.between(600, 9_000)
  let lastUseMs = 0
  return {
    next: (atMs: number, outputTokens: number): Usage => {
      if (lastUseMs > 0 && atMs - lastUseMs > cacheTtlMs[ttl]) cachedTokens = 0
      lastUseMs = atMs
      const writtenTokens = promptTokens - cachedTokens
      const usage: Usage = {
        inputTokens: random.between(3, 40),
        outputTokens,
        cacheReadTokens: cachedTokens,
        cacheWrite5mTokens: ttl === '5m' ? writtenTokens : 0,
        cacheWrite1hTokens: ttl === '1h' ? writtenTokens : 0,
      }
      cachedTokens = promptTokens
      promptTokens += outputTokens + Math.round(random.longTailed(2_600, 1.1))
      if (promptTokens > COMPACT_ABOVE_TOKENS) {
        promptTokens = prefixTokens + random.between(4_000, 9_000)
        cachedTokens = prefixTokens
      }
      return usage
    },
  }
}

interface Moment {
  readonly atMs: number
  readonly sessionId: string
}

/** A title or a summary: short, by the small model, never cached. */
function helperCall(world: World, plan: SessionPlan, random: Random, { atMs, sessionId }: Moment): SpendRecord {
  return makeCall(world, plan.caller, random, {
    atMs,
    model: plan.models.helper,
    usage: uncached(random.between(260, 2_400), random.between(12, 90)),
    streaming: true,
    tokensPerSecond: tokensPerSecond.small,
    stopReason: 'end_turn',
    tools: [],
    webSearches: 0,
    sessionId,
    agentId: null,
  })
}

/** Looks around on its own and reports back. */
function subAgent(world: World, plan: SessionPlan, random: Random, { atMs, sessionId }: Moment): SpendRecord[] {
  const agentId = `a${random.hex(16)}`
  const context = createContext(random, '5m')
  const looksOnly = random.chance(0.7)
  const calls = random.between(3, 9)
  let nextMs = atMs
  return Array.from({ length: calls }, (_, index) => {
    const isLast = index === calls - 1
    const record = makeCall(world, plan.caller, random, {
      atMs: nextMs,
      model: looksOnly ? plan.models.helper : plan.models.main,
      usage: context.next(nextMs, Math.round(random.longTailed(240, 0.7))),
      streaming: true,
      tokensPerSecond: tokensPerSecond[looksOnly ? 'small' : plan.models.tier],
      stopReason: isLast ? 'end_turn' : 'tool_use',
      tools: isLast ? [] : pickTools(random, null),
      webSearches: 0,
      sessionId,
      agentId,
    })
    nextMs += record.durationMs + random.between(200, 4_000)
    return record
  })
}

export function uncached(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 }
}

function makeUuid(random: Random): string {
  return [random.hex(8), random.hex(4), `4${random.hex(3)}`, `8${random.hex(3)}`, random.hex(12)].join('-')
}
