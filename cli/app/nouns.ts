/** Every noun of the command line, in the order of its help: those of the modules with what extensions add. */
import { isNoun, type Leaf, type Noun } from '../command/command.ts'
import { type AddedLeaf, type Catalogue, groups, insertBefore, type NounEntry } from '../command/extension.ts'
import { extensions } from './extensions.ts'
import { moduleCommands } from './module-commands.ts'

export interface LoadableNoun extends NounEntry {
  readonly load: () => Promise<Noun | Leaf>
}

const catalogue: Catalogue = {
  offered: extensions.flatMap(({ offered = [] }) => offered),
  find: findCommand,
}
const addedLeaves = extensions.flatMap(({ leaves = [] }) => leaves)
const headings: readonly string[] = Object.values(groups)

export const nouns: readonly LoadableNoun[] = extensions
  .flatMap((extension) => extension.nouns ?? [])
  .reduce<readonly NounEntry[]>(
    (list, added) => insertBefore(list, added, ({ name }) => name === added.before),
    moduleCommands,
  )
  .toSorted((one, other) => headings.indexOf(one.group) - headings.indexOf(other.group))
  .map((entry) => ({ ...entry, load: () => loadNoun(entry) }))

export function findNoun(name: string | undefined): LoadableNoun | undefined {
  return nouns.find((noun) => noun.name === name || noun.aliases?.includes(name ?? '') === true)
}

async function loadNoun(entry: NounEntry): Promise<Noun | Leaf> {
  const noun = await entry.load(catalogue)
  const added = addedLeaves.filter((leaf) => leaf.noun === entry.name)
  return isNoun(noun) && added.length > 0 ? addLeaves(noun, added) : noun
}

async function addLeaves(noun: Noun, added: readonly AddedLeaf[]): Promise<Noun> {
  let leaves = noun.leaves
  for (const { before, load } of added) leaves = insertBefore(leaves, await load(), ({ name }) => name === before)
  return { ...noun, leaves }
}

async function findCommand(path: string): Promise<Leaf> {
  const [first, ...rest] = path.split(' ')
  let found: Noun | Leaf | undefined = await findNoun(first)?.load()
  for (const word of rest) found = found && isNoun(found) ? found.leaves.find(({ name }) => name === word) : undefined
  const leaf = found && isNoun(found) ? found.itself : found
  if (leaf === undefined) throw new Error(`there is no command ${path}`)
  return leaf
}
