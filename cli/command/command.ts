/** What a command is: data that becomes a commander command, a page of the docs and a completion. */
import type { Context, Values } from './context.ts'

export interface Arg {
  /** As commander writes it: `<key>`, `[name]`, `<keys...>`. */
  readonly name: string
  readonly text: string
  readonly parse?: (value: string, previous: unknown) => unknown
  /** Where completion finds values. */
  readonly values?: ValueSource
  readonly choices?: readonly string[]
}

export interface Opt {
  /** As commander writes it: `--team <name>`. */
  readonly flags: string
  readonly text: string
  readonly parse?: (value: string, previous: unknown) => unknown
  readonly choices?: readonly string[]
  readonly values?: ValueSource
}

export type ValueSource = 'keys' | 'teams' | 'users' | 'endpoints' | 'idps' | 'settings' | 'models' | 'profiles'

export interface Leaf {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Decides the common options: `list` pages, `write` can be tried, `destroy` asks first. */
  readonly kind: 'list' | 'read' | 'write' | 'destroy' | 'plain'
  /** Routes of the gateway that this command is the way to, as `GET /admin/keys/{key_id}`. Routes that it only asks beside are left out. */
  readonly routes?: readonly string[]
  readonly args?: readonly Arg[]
  readonly options?: readonly Opt[]
  /** Without the leading `causeway`. */
  readonly examples?: readonly string[]
  readonly about?: string
  // biome-ignore lint/suspicious/noExplicitAny: arguments have the types that the declared parsers give.
  readonly run: (context: Context, args: readonly any[], values: Values) => Promise<void>
}

export interface Noun {
  readonly name: string
  readonly summary: string
  readonly aliases?: readonly string[]
  readonly leaves: readonly (Leaf | Noun)[]
  /** Runs when no verb is given. */
  readonly itself?: Leaf
}

export function isNoun(entry: Leaf | Noun): entry is Noun {
  return 'leaves' in entry
}
