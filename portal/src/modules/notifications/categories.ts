/** The kinds of events that a destination may want, in the words of the page. */
import type { Destination } from './destination.ts'

export type Categories = Destination['categories']
export type Category = keyof Categories

interface CategoryWords {
  readonly name: Category
  readonly label: string
  readonly hint: string
  /** After "Tells about". */
  readonly words: string
  /** Whether a new draft has it, until somebody chooses. */
  readonly isUsual: boolean
}

export const digestCategory: CategoryWords = {
  name: 'digest',
  label: 'Weekly digest',
  hint: 'On Monday at 08:00: what the week before cost, who used it, and what needs a look.',
  words: 'the week as a digest',
  isUsual: false,
}

export const categories: readonly CategoryWords[] = [
  {
    name: 'budget',
    label: 'Budgets',
    hint: 'Warnings, limits and stops of people and teams.',
    words: 'budgets',
    isUsual: true,
  },
  {
    name: 'rate_limit',
    label: 'Rate limits',
    hint: 'A key that is refused, at most once in five minutes.',
    words: 'rate limits',
    isUsual: false,
  },
  {
    name: 'keys',
    label: 'Keys that expire',
    hint: 'A week and a day before a key ends; more than 50 at once are told together.',
    words: 'keys that expire',
    isUsual: true,
  },
  digestCategory,
]

export const usualCategories = Object.fromEntries(categories.map(({ name, isUsual }) => [name, isUsual])) as Categories

export function toldWords(flags: Categories): string {
  const named = (isOn: boolean) => categories.filter(({ name }) => flags[name] === isOn).map(({ words }) => words)
  const [told, kept] = [named(true), named(false)]
  if (told.length === 0) return 'Tells about nothing: every category is off.'
  return `Tells about ${joined(told, 'conjunction')}${kept.length === 0 ? '' : `, and not about ${joined(kept, 'disjunction')}`}.`
}

function joined(words: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en-GB', { type }).format(words)
}
