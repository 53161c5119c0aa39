/** Whose budget a command is about, and what happens near its limit. */
import type { Opt } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { readTextFile } from '../../command/secret-input.ts'
import { usageError } from '../../terminal/cli-error.ts'

export const subjectOptions: readonly Opt[] = [
  { flags: '--user <user>', text: 'the budget of a person', values: 'users' },
  { flags: '--team <team>', text: 'the budget of a team', values: 'teams' },
]

/** The name of a policy, or rules from a file. Undefined when neither was given. */
export async function readPolicy({ io, values }: Context): Promise<unknown> {
  const { policy, rulesFile } = values
  return rulesFile === undefined ? policy : parseRules(await readTextFile(io, rulesFile))
}

function parseRules(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usageError(`the rules are not JSON: ${(error as Error).message}`)
  }
}
