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
  readonly estimate: (size: CallSize, price: Price | undefined) => NanoUsd
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
    estimate: (size, price) => {
      if (price === undefined) return 0
      const habit = habits.get(`${size.hostedModelId} ${size.subject}`) ?? habits.get(size.hostedModelId)
      const most = size.maxTokens ?? UNKNOWN_OUTPUT_TOKENS
      const usage =
        habit === undefined
          ? { ...noUsage, inputTokens: UNKNOWN_PROMPT_TOKENS, outputTokens: most }
          : {
              ...noUsage,
              inputTokens: habit.promptTokensPerByte * size.requestBytes,
              outputTokens: Math.min(habit.outputTokens, most),
            }
      return Math.ceil(costOf(usage, price) * MARGIN)
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
