/** Every command of the program, for those that look at all of them: the reference, checks and assistants. */
import { isNoun, type Leaf, type Noun } from '../command/command.ts'
import { nouns } from './nouns.ts'

export interface FoundCommand {
  /** As it is typed behind `causeway`. */
  readonly path: readonly string[]
  readonly leaf: Leaf
}

export async function listCommands(): Promise<readonly FoundCommand[]> {
  const found = await Promise.all(nouns.map(async ({ name, load }) => listInside(await load(), [name])))
  return found.flat()
}

function listInside(entry: Noun | Leaf, path: readonly string[]): readonly FoundCommand[] {
  if (!isNoun(entry)) return [{ path, leaf: entry }]
  const own = entry.itself === undefined ? [] : [{ path, leaf: entry.itself }]
  return [...own, ...entry.leaves.flatMap((child) => listInside(child, [...path, child.name]))]
}
