/**
 * What a call will cost at most, by what was learned from answers. Rather too high: what is reserved too much comes back
 * at the end of the call, what is reserved too little is overrun. Lost on restart, which makes the first calls run one by
 * one near a limit.
 */

import type { ChargedPrice } from '../../foundation/domain/estimated-price.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { calculateCost } from '../../foundation/domain/price.ts'
import { promptTokens, type Usage } from '../../foundation/domain/usage.ts'

export interface CallSize {
  readonly subject: string
  readonly hostedModelId: string
  readonly requestBytes: number
  readonly maxTokens: number | null
}

export interface BudgetEstimates {
  /** By the caller's own habit, the same for every budget that pays; undefined for a stranger. */
  readonly findUsual: (size: CallSize, price: ChargedPrice | undefined) => NanoUsd | undefined
  /** `leftNanoUsd`: of the budget that pays; undefined while nobody knows what is spent of it. */
  readonly estimate: (size: CallSize, price: ChargedPrice | undefined, leftNanoUsd: NanoUsd | undefined) => NanoUsd
  readonly learn: (size: CallSize, usage: Usage) => void
}

/** In tokens, so that neither a new price list nor a cache that has gone cold makes it wrong. */
interface Habit {
  promptTokensPerByte: number
  outputTokens: number
  /** Writing for an hour costs more than for five minutes; most clients never do. */
  writesForAnHour: boolean
}

/** Nothing is known of the caller yet: a whole context, written to the cache, and as much output as was asked for. */
const MOST_PROMPT_TOKENS = 1_000_000
const MOST_OUTPUT_TOKENS = 128_000
/** So many of the dearest calls still fit into what is left: a stranger may then be taken for one of the others. */
const FAR_FROM_LIMIT_CALLS = 32
const PROMPT_MARGIN = 1.05
/** The length of an answer follows from nothing that is known before it. */
const OUTPUT_MARGIN = 2
const LEAST_OUTPUT_TOKENS = 1_000
/** Peaks fade within some dozens of calls. */
const FADING = 0.9
const MAX_MODELS = 50
const MAX_SUBJECTS_PER_MODEL = 20_000

/** Of everybody who calls one model. */
interface ModelHabits {
  readonly all: Habit
  /** Maps in a map: with one, every call would make a key of both ids. */
  readonly bySubject: Map<string, Habit>
}

export function createBudgetEstimates(): BudgetEstimates {
  const models = new Map<string, ModelHabits>()

  const findUsual = (size: CallSize, price: ChargedPrice | undefined): NanoUsd | undefined => {
    if (price === undefined) return 0
    const own = models.get(size.hostedModelId)?.bySubject.get(size.subject)
    return own && usual(own, size, price)
  }

  return {
    findUsual,
    estimate: (size, price, leftNanoUsd) => {
      const known = findUsual(size, price)
      if (known !== undefined || price === undefined) return known ?? 0
      // Several strangers at once, each taken for less than it costs, would overrun a small rest by all of them.
      const worst = priced(MOST_PROMPT_TOKENS, size.maxTokens ?? MOST_OUTPUT_TOKENS, true, price)
      const others = models.get(size.hostedModelId)?.all
      if (others === undefined || leftNanoUsd === undefined || leftNanoUsd < FAR_FROM_LIMIT_CALLS * worst) return worst
      return usual(others, size, price)
    },
    learn: (size, usage) => {
      const seen = {
        promptTokensPerByte: promptTokens(usage) / size.requestBytes,
        outputTokens: usage.outputTokens,
        writesForAnHour: usage.cacheWrite1hTokens > 0,
      }
      if (!(size.requestBytes > 0) || !(seen.promptTokensPerByte > 0)) return
      const habits = models.get(size.hostedModelId)
      if (habits === undefined) {
        keepAtMost(models, MAX_MODELS)
        models.set(size.hostedModelId, { all: { ...seen }, bySubject: new Map([[size.subject, { ...seen }]]) })
        return
      }
      learnFrom(habits.all, seen)
      const own = habits.bySubject.get(size.subject)
      if (own !== undefined) {
        learnFrom(own, seen)
        return
      }
      keepAtMost(habits.bySubject, MAX_SUBJECTS_PER_MODEL)
      habits.bySubject.set(size.subject, { ...seen })
    },
  }
}

/** Makes room for one more: the oldest goes. */
function keepAtMost(map: Map<string, unknown>, size: number): void {
  if (map.size >= size) map.delete(map.keys().next().value ?? '')
}

function learnFrom(habit: Habit, seen: Habit): void {
  habit.promptTokensPerByte = peak(habit.promptTokensPerByte, seen.promptTokensPerByte)
  habit.outputTokens = peak(habit.outputTokens, seen.outputTokens)
  habit.writesForAnHour ||= seen.writesForAnHour
}

function peak(known: number, seen: number): number {
  return seen >= known ? seen : known * FADING + seen * (1 - FADING)
}

function usual(habit: Habit, { requestBytes, maxTokens }: CallSize, price: ChargedPrice): NanoUsd {
  const output = Math.max(LEAST_OUTPUT_TOKENS, habit.outputTokens * OUTPUT_MARGIN)
  const prompt = habit.promptTokensPerByte * requestBytes * PROMPT_MARGIN
  return priced(prompt, Math.min(output, maxTokens ?? MOST_OUTPUT_TOKENS), habit.writesForAnHour, price)
}

/** As if the whole prompt were written to the cache: the dearest a prompt can be, and what it is after a pause. */
function priced(prompt: number, outputTokens: number, writesForAnHour: boolean, price: ChargedPrice): NanoUsd {
  const plain = calculateCost(buildUsage(prompt, 0, 0, outputTokens), price)
  const written = writesForAnHour ? buildUsage(0, 0, prompt, outputTokens) : buildUsage(0, prompt, 0, outputTokens)
  // An administrator may have given cache writes a lower price than plain input.
  return Math.max(plain, calculateCost(written, price))
}

function buildUsage(
  inputTokens: number,
  cacheWrite5mTokens: number,
  cacheWrite1hTokens: number,
  outputTokens: number,
): Usage {
  return { inputTokens, outputTokens, cacheReadTokens: 0, cacheWrite5mTokens, cacheWrite1hTokens }
}
