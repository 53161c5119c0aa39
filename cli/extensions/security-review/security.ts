/** `causeway security`: how safe the gateway is set up, what it keeps about people, and whom it calls. */
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat, isForPeople, printDocument, printPages, type Row } from '../../output/render.ts'
import { harmless } from '../../output/table.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

export const security: Leaf = {
  name: 'security',
  summary: 'how safe the gateway is set up, what it keeps and whom it calls',
  kind: 'read',
  routes: ['GET /admin/security'],
  options: [
    { flags: '--kept', text: 'what is kept about people, where and for how long' },
    { flags: '--reached', text: 'the addresses that the gateway calls' },
  ],
  about:
    'Judges the configuration and the settings in force: what is bad first, each with what to do. JSON and YAML hold all three parts.\nEnds with code 8 when something is bad.',
  examples: ['security', 'security --kept', 'security --reached -o csv', 'security --json'],
  run: async (context, _args, values) => {
    const [isKept, isReached] = [values['kept'] === true, values['reached'] === true]
    if (isKept && isReached) throw usageError('either --kept or --reached')
    const document = await (await context.client()).get('/admin/security')
    if (isDocumentFormat(context.output.format)) await printDocument(context.output, document, [])
    else if (isKept) return printKept(context, document.kept)
    else if (isReached) return printReached(context, document.reached)
    else await printChecks(context, document.checks)
    if (!isKept && !isReached) finish(context, document.checks)
  },
}

function finish({ io }: Context, checks: readonly Row[]): void {
  const count = (state: string): number => checks.filter((check) => check.state === state).length
  const toLookAt = count('attention') + count('unknown')
  if (count('bad') > 0)
    throw new CliError(`${count('bad')} of ${checks.length} checks are bad`, { exit: 'checkFailed' })
  io.err(`${checks.length} checks, none is bad${toLookAt === 0 ? '' : `, ${toLookAt} to look at`}.\n`)
}

const marks: Readonly<Record<string, string>> = { good: '✔', attention: '!', bad: '✘', unknown: '?' }

async function printChecks(context: Context, checks: readonly Row[]): Promise<void> {
  const { io, paint, output } = context
  if (!isForPeople(output.format)) {
    const kit = columnKit(output)
    const columns = [kit.text('state'), kit.text('id'), kit.text('found'), kit.text('fix')]
    return printPages(output, toPages(checks), columns, 'Nothing is checked.')
  }
  for (const { state, title, found, why, fix, settings } of checks) {
    const color = { good: paint.green, bad: paint.red }[state as string] ?? paint.yellow
    io.out(`${color(marks[state] ?? '?')} ${paint.bold(harmless(title))}: ${harmless(found)}\n`)
    if (fix === null) continue
    io.out(`  ${paint.dim(harmless(why))}\n  ${paint.dim('→')} ${harmless(fix)}\n`)
    if (settings.length > 0) io.out(`  ${paint.dim(harmless(settings.join(', ')))}\n`)
  }
}

function printKept({ output }: Context, rows: readonly Row[]): Promise<void> {
  const kit = columnKit(output)
  const columns = [
    kit.text('what'),
    kit.text('where'),
    kit.text('how long', 'how_long'),
    kit.text('switch'),
    kit.text('holds'),
  ]
  return printPages(output, toPages(rows), columns, 'Nothing is kept.')
}

function printReached({ output }: Context, rows: readonly Row[]): Promise<void> {
  const kit = columnKit(output)
  const columns = [kit.text('address'), kit.text('purpose'), kit.text('sends'), kit.text('set by', 'set_by')]
  return printPages(output, toPages(rows), columns, 'Nothing is called.')
}

/** The answer has no pages: it is there as a whole. */
async function* toPages(data: readonly Row[]) {
  yield { data, has_more: false, next_cursor: null }
}
