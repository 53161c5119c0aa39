/** `causeway diff`: what `apply` would change. */
import type { Leaf, Opt } from '../../command/command.ts'
import type { Context, Values } from '../../command/context.ts'
import { readTextFile } from '../../command/secret-input.ts'
import { isDocumentFormat, printDocument } from '../../output/render.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import type { Step } from './plan.ts'

export const fileOptions: readonly Opt[] = [
  { flags: '-f, --file <path>', text: 'the file; - is standard input' },
  { flags: '--prune', text: 'also delete what the sections of the file do not name' },
]

export const diff: Leaf = {
  name: 'diff',
  summary: 'compare a file with the gateway',
  kind: 'read',
  options: fileOptions,
  about: 'Ends with code 8 when they differ, so that a pipeline can watch for drift.',
  examples: ['diff -f gateway.yaml', 'diff -f gateway.yaml --prune --json'],
  run: async (context, _args, values) => {
    const steps = await readPlan(context, values)
    await printPlan(context, steps)
    if (steps.length > 0)
      throw new CliError(
        `the gateway differs from the file in ${steps.length} ${steps.length === 1 ? 'place' : 'places'}`,
        { exit: 'checkFailed', next: `causeway apply -f ${values['file']}` },
      )
  },
}

export async function readPlan(context: Context, values: Values): Promise<readonly Step[]> {
  if (values['file'] === undefined) throw usageError('which file? name it with -f')
  const { parseDocument } = await import('./document.ts')
  const { readGateway } = await import('./read-gateway.ts')
  const { planSteps } = await import('./plan.ts')
  const { withAffectedTeams } = await import('./affected-teams.ts')
  const wanted = await parseDocument(await readTextFile(context.io, values['file']), values['file'])
  const current = await readGateway(await context.client())
  return withAffectedTeams(current, planSteps(current, wanted, values['prune'] === true))
}

export async function printPlan({ io, paint, output }: Context, steps: readonly Step[]): Promise<void> {
  const { planDocument, stepLine, teamLines } = await import('./show-plan.ts')
  if (isDocumentFormat(output.format)) return printDocument(output, planDocument(steps), [])
  if (steps.length === 0) io.err('The gateway is what the file says.\n')
  for (const step of steps) io.out(`${[stepLine(step, paint), ...teamLines(step)].join('\n')}\n`)
}
