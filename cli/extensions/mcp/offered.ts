/** The commands that an assistant may run: those that look and never change anything. */
import type { Leaf } from '../../command/command.ts'
import { type Catalogue, insertBefore } from '../../command/extension.ts'

export interface Offered {
  /** As it is typed behind `causeway`. */
  readonly path: string
  readonly leaf: Leaf
}

/** Whoever has a sign-in may ask these. */
const forEverybody = ['whoami', 'why', 'me', 'me budget', 'me usage', 'me requests', 'me request', 'models list']

/** The gateway decides for each of them whether the asker may see it. Extensions add theirs. */
const forAdministrators = [
  'status',
  'logs',
  ...verbs('analytics', 'overview', 'spend', 'activity', 'models', 'tools', 'explore', 'unit-price', 'adoption'),
  ...verbs('requests', 'list', 'show'),
  'sessions list',
  ...verbs('users', 'list', 'show'),
  ...verbs('teams', 'list', 'show', 'members'),
  ...verbs('keys', 'list', 'show'),
  ...verbs('budgets', 'list', 'show', 'requests', 'top-ups'),
  ...verbs('endpoints', 'list', 'show', 'models', 'quotas', 'history'),
  'models mappings',
  'betas list',
  'prices list',
  'settings list',
  'audit list',
]

function verbs(noun: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${noun} ${name}`)
}

export interface OfferedTo {
  readonly everybody: readonly Offered[]
  /** With those for everybody. */
  readonly administrators: readonly Offered[]
}

export async function readOffered({ offered, find }: Catalogue): Promise<OfferedTo> {
  const load = (paths: readonly string[]) => Promise.all(paths.map(async (path) => ({ path, leaf: await find(path) })))
  const paths = offered.reduce<readonly string[]>(
    (list, { path, before }) => insertBefore(list, path, (one) => one === before),
    forAdministrators,
  )
  const everybody = await load(forEverybody)
  return { everybody, administrators: [...everybody, ...(await load(paths))] }
}
