/** Reads what was typed behind an option. */
import { InvalidArgumentError } from 'commander'

export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= low && value <= high))
      throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
    return value
  }
}

export function amount(text: string): number {
  const value = /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number such as 50 or 12.5.')
  return value
}

export function trueOrFalse(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new InvalidArgumentError('It must be true or false.')
}

/** `a,b` and repeated flags both make one list. */
export function commaList(text: string, previous: unknown): readonly string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return [...(Array.isArray(previous) ? (previous as string[]) : []), ...words]
}

/** Commander makes an empty text of null, so "take it away" travels as a value of its own until the command runs. */
export const NONE = Symbol('none')

/** `none` takes a value away: the command gets null. */
export function orNone<T>(
  parse: (text: string, previous: unknown) => T,
): (text: string, previous: unknown) => T | typeof NONE {
  return (text, previous) => (text === 'none' ? NONE : parse(text, previous))
}
