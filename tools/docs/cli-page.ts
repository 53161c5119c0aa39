/** The reference of the command line, from the commands themselves. */
import type { Command } from 'commander'
import { nouns } from '../../cli/app/nouns.ts'
import { createProgram } from '../../cli/app/program.ts'
import { isNoun, type Leaf, type Noun, type Opt } from '../../cli/command/command.ts'
import { commonOptions } from '../../cli/command/common-options.ts'
import { exitCodes } from '../../cli/terminal/cli-error.ts'

const exitTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  failed: 'failed',
  usage: 'a mistake in the command line or in what was sent',
  notFound: 'not found',
  signInNeeded: 'sign-in needed',
  notAllowed: 'not allowed',
  conflict: 'conflict, or something must be done first',
  unreachable: 'the gateway cannot be reached, or is overloaded',
  checkFailed: 'a check did not pass (`doctor`, `status`, `diff`, `endpoints check`, tests)',
  interrupted: 'interrupted',
}

export async function cliPage(): Promise<string> {
  const io = { out: () => undefined, err: () => undefined, isTerminal: false, columns: 100, environment: {} }
  const program = await createProgram({ io, version: '', chosen: 'every', run: async () => undefined })
  const sections: string[] = []
  let group = ''
  for (const entry of nouns) {
    if (entry.group !== group) sections.push(`## ${entry.group}`)
    group = entry.group
    const command = program.commands.find((one) => one.name() === entry.name)
    if (command !== undefined) sections.push(...describe(command, await entry.load(), [entry.name]))
  }
  return `${[...head(program), ...sections].join('\n\n')}\n`
}

function head(program: Command): readonly string[] {
  return [
    '# The command line',
    'Made by `npm run docs` from the commands in `cli/`; edit those.',
    'In a checkout it is `npm run causeway -- keys list`, in the image `node bin/causeway.js keys list`. `npm pack` makes a package of it, which `npm install -g` puts on any machine with Node 20 or newer.',
    'Nouns, then verbs: `causeway keys list`. Wherever a thing is named, its name, the beginning of its name (if only one has it) or its id will do. Standard output holds data, standard error talk: tables on a terminal, tab-separated full values in a pipe, `--json` for programs (the documents of the API; `--all` streams every page).',
    'What cannot be undone asks first, and wants `--yes` where nobody can be asked; `--dry-run` shows what would be sent. Secrets come from a file, from standard input or from a question without echo, never from a flag.',
    `Options of every command:\n\n${optionTable(program)}`,
    `Options that many commands share:\n\n| Option | |\n|---|---|\n${sharedOptions()
      .map(
        ({ flags, text, choices }) =>
          `| \`${flags}\` | ${cell(`${text}${choices === undefined ? '' : ` (${choices.join(', ')})`}`)} |`,
      )
      .join('\n')}`,
    'Which gateway: `--url`, then the profile of `--profile`, then `CAUSEWAY_URL`, then the profile of `CAUSEWAY_PROFILE`, else the current one. As whom: `CAUSEWAY_TOKEN`, else the token of the profile, which is only sent to the gateway that gave it; with `--profile` a `CAUSEWAY_TOKEN` beside a `CAUSEWAY_URL` does not count. Profiles are kept in `$XDG_CONFIG_HOME/causeway/config.json`, readable by their owner alone. `NO_COLOR` turns colours off. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count as they do for curl; `NODE_EXTRA_CA_CERTS` names the file of an authority that this machine does not know.',
    `| Exit code | Meaning |\n|---|---|\n${Object.entries(exitCodes)
      .map(([name, code]) => `| ${code} | ${exitTexts[name as keyof typeof exitCodes]} |`)
      .join('\n')}`,
  ]
}

function sharedOptions(): readonly Opt[] {
  return [...new Set(Object.values(commonOptions).flat())]
}

function describe(command: Command, entry: Noun | Leaf, path: readonly string[]): readonly string[] {
  const title = `${path.length === 1 ? '###' : '####'} causeway ${path.join(' ')}`
  if (!isNoun(entry)) return [title, ...leafText(command, entry, path)]
  const own = entry.itself === undefined ? [command.description()] : leafText(command, entry.itself, path)
  const children = entry.leaves.flatMap((child) => {
    const found = command.commands.find((one) => one.name() === child.name)
    return found === undefined ? [] : describe(found, child, [...path, child.name])
  })
  return [title, ...own, ...children]
}

function leafText(command: Command, leaf: Leaf, path: readonly string[]): readonly string[] {
  const routes = leaf.routes ?? []
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  const args = command.registeredArguments.map(
    (argument) => `| \`${argument.name()}\` | ${cell(argument.description)} |`,
  )
  return [
    command.description().replaceAll('\n', ' '),
    `\`\`\`\ncauseway ${[...path, ...words].join(' ')}\n\`\`\``,
    ...(args.length === 0 ? [] : [`| Argument | |\n|---|---|\n${args.join('\n')}`]),
    ...(leaf.options === undefined ? [] : [optionTable(command, commonOptions[leaf.kind])]),
    ...alsoTaken(leaf),
    ...(leaf.examples === undefined
      ? []
      : [`\`\`\`sh\n${leaf.examples.map((example) => `causeway ${example}`).join('\n')}\n\`\`\``]),
    ...(routes.length === 0 ? [] : [`Calls ${routes.map((route) => `\`${route}\``).join(', ')}.`]),
  ]
}

function alsoTaken(leaf: Leaf): readonly string[] {
  const flags = commonOptions[leaf.kind].map((option) => `\`${longName(option.flags)}\``)
  return flags.length === 0 ? [] : [`Also takes ${flags.join(', ')}.`]
}

function longName(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags
}

function optionTable(command: Pick<Command, 'options'>, leftOut: readonly Opt[] = []): string {
  const shown = command.options.filter(({ flags }) => !leftOut.some((one) => one.flags === flags))
  const rows = shown.map((option) => {
    const choices = option.argChoices === undefined ? '' : ` (${option.argChoices.join(', ')})`
    return `| \`${option.flags.replaceAll('|', '\\|')}\` | ${cell(`${option.description}${choices}`)} |`
  })
  return `| Option | |\n|---|---|\n${rows.join('\n')}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}
