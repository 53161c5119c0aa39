/** An amount in a form, as text: what the gateway would refuse is said before it is sent. */
import * as z from 'zod/mini'

export const amountPattern = /^\d{1,7}(\.\d{1,6})?$/

export const dollars = z.string().check(
  z.trim(),
  z.regex(amountPattern, 'Dollars, such as 50 or 12.50.'),
  z.refine((text) => Number(text) > 0, 'More than 0.'),
)

/** A line of words, or none. */
export const words = z.string().check(z.trim(), z.maxLength(500, 'At most 500 characters.'))
