/** The command `causeway`, put together from its parts; `main.ts` only runs it. */
import { Command } from 'commander'
import { createAdminApi, type Environment } from './admin-api.ts'
import { addBetasCommand } from './commands/betas.ts'

export interface ProgramParts {
  readonly environment: Environment
  readonly print: (line: string) => void
}

export function createProgram({ environment, print }: ProgramParts): Command {
  const program = new Command('causeway')
    .description('Administers a Causeway gateway through its admin API.')
    .addHelpText('after', '\nEnvironment:\n  CAUSEWAY_URL    address of the gateway\n  CAUSEWAY_TOKEN  session token')
  addBetasCommand(program, { api: () => createAdminApi(environment), print })
  return program
}
