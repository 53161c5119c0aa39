/** Makes a commander command of what a command says of itself. */
import { Argument, type Command, Option } from 'commander'
import { type Arg, isNoun, type Leaf, type Noun, type Opt } from './command.ts'
import { commonOptions } from './common-options.ts'

/** Fills a commander command; `run` is what happens when a leaf is chosen. */
export function fillCommand(
  command: Command,
  entry: Leaf | Noun,
  run: (leaf: Leaf, command: Command) => Promise<void>,
): void {
  command.summary(entry.summary).description(sentence(entry))
  for (const alias of entry.aliases ?? []) command.alias(alias)
  if (isNoun(entry)) {
    for (const child of entry.leaves) fillCommand(command.command(child.name), child, run)
    if (entry.itself !== undefined) fillLeaf(command, entry.itself, run)
    return
  }
  fillLeaf(command, entry, run)
}

function fillLeaf(command: Command, leaf: Leaf, run: (leaf: Leaf, command: Command) => Promise<void>): void {
  for (const arg of leaf.args ?? []) command.addArgument(toArgument(arg))
  for (const option of [...(leaf.options ?? []), ...commonOptions[leaf.kind]]) command.addOption(toOption(option))
  if (leaf.examples !== undefined && leaf.examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${leaf.examples.map((example) => `  causeway ${example}`).join('\n')}`)
  command.action(() => run(leaf, command))
}

/** What help says of it, before its options. */
export function sentence(entry: Leaf | Noun): string {
  const text = `${entry.summary.charAt(0).toUpperCase()}${entry.summary.slice(1)}.`
  return 'about' in entry && entry.about !== undefined ? `${text}\n${entry.about}` : text
}

function toArgument(arg: Arg): Argument {
  const made = new Argument(arg.name, arg.text)
  if (arg.choices !== undefined) made.choices([...arg.choices])
  if (arg.parse !== undefined) made.argParser(arg.parse)
  return made
}

function toOption(option: Opt): Option {
  const made = new Option(option.flags, option.text)
  if (option.choices !== undefined) made.choices([...option.choices])
  if (option.parse !== undefined) made.argParser(option.parse)
  return made
}
