/** Money as the vendor writes it: cents as text. */
import { z } from 'zod'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { MAX_LIMIT_NANO_USD } from '../../modules/budgets/budget.fields.ts'

const NANO_DIGITS_OF_A_CENT = 7
const NANO_PER_CENT = 10 ** NANO_DIGITS_OF_A_CENT

/** Moves the point instead of dividing, which would round. */
export function exactCents(nanoUsd: NanoUsd): string {
  const digits = String(nanoUsd).padStart(NANO_DIGITS_OF_A_CENT + 1, '0')
  const fraction = digits.slice(-NANO_DIGITS_OF_A_CENT).replace(/0+$/, '')
  const whole = digits.slice(0, -NANO_DIGITS_OF_A_CENT)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** What was spent of a limit has up to three decimals. */
export function roundedCents(nanoUsd: NanoUsd): string {
  return String(Math.round((nanoUsd * 1_000) / NANO_PER_CENT) / 1_000)
}

/** Limits have no room for parts of a cent; what is held against them has. */
export function wholeCents(nanoUsd: NanoUsd): string {
  return String(Math.floor(nanoUsd / NANO_PER_CENT))
}

const NO_CENTS = `must be a whole number of cents as text, from "1" to "${MAX_LIMIT_NANO_USD / NANO_PER_CENT}"; to lift a limit, delete it`

/** In cents outside, in nano-dollars inside. */
export const amount = z
  .string({ error: NO_CENTS })
  .regex(/^[1-9]\d{0,11}$/, NO_CENTS)
  .transform((cents) => Number(cents) * NANO_PER_CENT)
  .refine((nanoUsd) => nanoUsd <= MAX_LIMIT_NANO_USD, NO_CENTS)
