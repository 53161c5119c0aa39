/** What an extension adds to the command line. Its commands are loaded when they are needed; what stands here, with every start. */
import type { Leaf, Noun } from './command.ts'

/** Headings of the help, in its order. */
export const groups = {
  gateway: 'The gateway itself',
  you: 'You',
  access: 'Access',
  models: 'Models',
  money: 'Money and use',
  administration: 'Administration',
} as const

export interface NounEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly group: (typeof groups)[keyof typeof groups]
  readonly load: (program: Catalogue) => Promise<Noun | Leaf>
}

/** Each names the command before which it stands in lists. Without one, or when that is not there, it stands last. */
interface Placed {
  readonly before?: string
}

export interface AddedLeaf extends Placed {
  /** The noun of a module. */
  readonly noun: string
  readonly load: () => Promise<Leaf | Noun>
}

/** A command that looks and never changes anything, so that an assistant may run it. */
export interface OfferedPath extends Placed {
  /** As it is typed behind `causeway`. */
  readonly path: string
}

export interface Extension {
  readonly nouns?: readonly (NounEntry & Placed)[]
  readonly leaves?: readonly AddedLeaf[]
  /** For people who administrate; the gateway decides whether somebody may see the answer. */
  readonly offered?: readonly OfferedPath[]
}

/** The other commands, for one that runs them. */
export interface Catalogue {
  readonly offered: readonly OfferedPath[]
  readonly find: (path: string) => Promise<Leaf>
}

export function insertBefore<T>(list: readonly T[], added: T, isNext: (one: T) => boolean): readonly T[] {
  const index = list.findIndex(isNext)
  return index < 0 ? [...list, added] : list.toSpliced(index, 0, added)
}
