/** Options that commands of a kind share. */
import { formats } from '../output/render.ts'
import type { Leaf, Opt } from './command.ts'
import { wholeNumber } from './option-values.ts'

const outputOptions: readonly Opt[] = [
  { flags: '--json', text: 'print the document of the API' },
  { flags: '-o, --output <format>', text: 'form of the output', choices: formats },
]
const listOptions: readonly Opt[] = [
  { flags: '--all', text: 'every page, not only the first' },
  { flags: '--limit <n>', text: 'records a page, 1 to 200', parse: wholeNumber(1, 200) },
  { flags: '--cursor <cursor>', text: 'go on where an earlier page ended' },
  { flags: '-q, --search <text>', text: 'only what holds this text' },
  { flags: '--sort <field>', text: 'order by a field; -field turns it round' },
]
const dryRun: Opt = { flags: '--dry-run', text: 'show what would be sent and change nothing' }
const yes: Opt = { flags: '-y, --yes', text: 'do not ask' }

export const commonOptions: Readonly<Record<Leaf['kind'], readonly Opt[]>> = {
  list: [...outputOptions, ...listOptions],
  read: outputOptions,
  write: [...outputOptions, dryRun],
  destroy: [...outputOptions, dryRun, yes],
  plain: [],
}
