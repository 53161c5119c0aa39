/** `causeway apply`: brings a gateway to what a file says. Doing it twice changes nothing the second time. */
import type { Leaf } from '../../command/command.ts'
import { requireConsent } from '../../command/context.ts'
import { isDocumentFormat } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { fileOptions, printPlan, readPlan } from './diff.ts'

export const apply: Leaf = {
  name: 'apply',
  summary: 'bring the gateway to what a file says',
  kind: 'destroy',
  options: fileOptions,
  about:
    'Nothing is deleted without --prune. A step that fails stops it; run it again to go on. A stored secret is kept; one that is\nmissing is named, with the command that stores it. A new notification destination gets a test event before it is activated.',
  examples: ['apply -f gateway.yaml --dry-run', 'apply -f gateway.yaml --yes', 'apply -f gateway.yaml --prune --yes'],
  run: async (context, _args, values) => {
    const steps = await readPlan(context, values)
    if (context.isDryRun || steps.length === 0) return printPlan(context, steps)
    if (!isDocumentFormat(context.output.format)) await printPlan(context, steps)
    const deletions = steps.filter(({ action }) => action === 'delete').length
    const { affectedTeamLines } = await import('./show-plan.ts')
    const question = `Make ${steps.length} changes${deletions === 0 ? '' : `, ${deletions} of them deletions`}?`
    await requireConsent(context, [question, ...affectedTeamLines(steps)].join('\n'))
    const { carryOut } = await import('./carry-out.ts')
    let made = 0
    await carryOut(await context.client(), steps, () => {
      made += 1
    }).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error
      const step = steps[made]
      throw new CliError(`${step?.action} ${step?.kind} ${step?.name.replace('\n', ' ')}: ${error.message}`, {
        ...error.parts,
        next: `${made} of ${steps.length} changes were made; mend the file and run it again`,
      })
    })
    if (isDocumentFormat(context.output.format)) await printPlan(context, steps)
    else context.io.err(`Made ${made} ${made === 1 ? 'change' : 'changes'}.\n`)
  },
}
