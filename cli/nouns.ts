/** Every noun of the command line, in the order of its help. Modules are loaded when they are needed. */
import type { Leaf, Noun } from './command.ts'

export interface NounEntry {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  readonly group: string
  readonly load: () => Promise<Noun | Leaf>
}

const gateway = 'The gateway itself'
const models = 'Models'

export const nouns: readonly NounEntry[] = [
  {
    name: 'serve',
    summary: 'run the gateway, configured by the environment',
    group: gateway,
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'demo',
    summary: 'run everything on this machine: simulated models, a private database, sample data',
    group: gateway,
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'betas',
    summary: 'what inference profiles take, and overrides of it',
    group: models,
    load: async () => (await import('./commands/betas.ts')).betas,
  },
]

export function findNoun(name: string | undefined): NounEntry | undefined {
  return nouns.find((noun) => noun.name === name || noun.aliases?.includes(name ?? '') === true)
}
