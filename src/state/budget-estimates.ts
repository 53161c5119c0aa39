/** What a call will probably cost, learned from answers. Rather too high: what is reserved too much comes back at the end of the call, what is reserved too little is overrun. Lost on restart, which makes the first calls run one by one near a limit. */
import type { NanoUsd } from '../domain/money.ts'
import { costOf, type Price, ratesFor } from '../domain/price.ts'
import { noUsage, type Usage } from '../domain/usage.ts'

export interface CallSize {
  readonly subject: string
  readonly hostedModelId: string
  readonly requestBytes: number
  readonly maxTokens: number | null
}

export interface BudgetEstimates {
  /** `leftNanoUsd`: of the budget that pays. */
  readonly estimate: (size: CallSize, price: Price | undefined, leftNanoUsd: NanoUsd) => NanoUsd
  readonly learn: (size: CallSize, usage: Usage, price: Price) => void
}

/** In input tokens at the plain rate, so that neither caching nor a new price list makes it wrong. */
interface Habit {
  promptTokensPerByte: number
  outputTokens: number
}

/** Nobody has seen an answer of this model yet: a whole context, and as much output as was asked for. */
const UNKNOWN_PROMPT_TOKENS = 1_000_000
const UNKNOWN_OUTPUT_TOKENS = 32_000
/** Calls of somebody of whom no answer was seen yet share what is left: a few at a time, until one tells. */
const STRANGER_SHARE = 8
const MARGIN = 1.05
/** Peaks fade within some dozens of calls. */
const FADING = 0.9
const MAX_HABITS = 20_000

export function createBudgetEstimates(): BudgetEstimates {
  const habits = new Map<string, Habit>()

  const learnOne = (key: string, promptTokensPerByte: number, outputTokens: number): void => {
    const habit = habits.get(key)
    if (habit === undefined) {
      if (habits.size >= MAX_HABITS) habits.delete(habits.keys().next().value ?? '')
      habits.set(key, { promptTokensPerByte, outputTokens })
      return
    }
    habit.promptTokensPerByte = peak(habit.promptTokensPerByte, promptTokensPerByte)
    habit.outputTokens = peak(habit.outputTokens, outputTokens)
  }

  return {
    estimate: (size, price, leftNanoUsd) => {
      if (price === undefined) return 0
      const most = size.maxTokens ?? UNKNOWN_OUTPUT_TOKENS
      const own = habits.get(`${size.hostedModelId} ${size.subject}`)
      if (own !== undefined) return usual(own, size.requestBytes, most, price)
      const worst = priced(UNKNOWN_PROMPT_TOKENS, most, price)
      const others = habits.get(size.hostedModelId)
      if (others === undefined) return worst
      const share = Math.min(worst, Math.max(0, leftNanoUsd) / STRANGER_SHARE)
      return Math.max(Math.ceil(share), usual(others, size.requestBytes, most, price))
    },
    learn: (size, usage, price) => {
      const rate = ratesFor(price, usage).input
      if (!(rate > 0) || !(size.requestBytes > 0)) return
      const promptCost = costOf({ ...usage, outputTokens: 0 }, price)
      const perByte = promptCost / (rate * 1_000) / size.requestBytes
      learnOne(size.hostedModelId, perByte, usage.outputTokens)
      learnOne(`${size.hostedModelId} ${size.subject}`, perByte, usage.outputTokens)
    },
  }
}

function peak(known: number, seen: number): number {
  return seen >= known ? seen : known * FADING + seen * (1 - FADING)
}

function usual(habit: Habit, requestBytes: number, mostOutputTokens: number, price: Price): NanoUsd {
  return priced(habit.promptTokensPerByte * requestBytes, Math.min(habit.outputTokens, mostOutputTokens), price)
}

function priced(inputTokens: number, outputTokens: number, price: Price): NanoUsd {
  return Math.ceil(costOf({ ...noUsage, inputTokens, outputTokens }, price) * MARGIN)
}
