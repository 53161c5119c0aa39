/** `causeway users import`: adds people from a list, one a line. Running it again adds whoever is missing. */
import { findId, kinds } from '../../client/find-record.ts'
import type { Client } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import { type Context, change } from '../../command/context.ts'
import { readTextFile } from '../../command/secret-input.ts'
import { isDocumentFormat, printDocument } from '../../output/render.ts'
import { CliError, type ExitName, usageError } from '../../terminal/cli-error.ts'

interface Imported {
  readonly added: string[]
  /** As they were: neither their team nor anything else of theirs is changed. */
  readonly present: string[]
  readonly failed: { readonly subject: string; readonly message: string }[]
}

export const importPeople: Leaf = {
  name: 'import',
  summary: 'add people from a list, one a line',
  kind: 'write',
  args: [{ name: '<file>', text: 'subjects, typically e-mail addresses, one a line; - is standard input' }],
  options: [{ flags: '--team <team>', text: 'put the new ones into a team', values: 'teams' }],
  about: 'Whoever is there already stays as they are. Empty lines and lines that begin with # are left out.',
  examples: ['users import people.txt --team platform', 'users import - --dry-run < people.txt'],
  run: async (context, [file], { team }) => {
    const subjects = subjectsIn(await readTextFile(context.io, file))
    if (subjects.length === 0) throw usageError(`${file} names nobody`, 'write one subject a line')
    const client = await context.client()
    const teamId = team === undefined ? null : await findId(client, kinds.team, team)
    const bodies = subjects.map((subject) => toBody(subject, teamId))
    if (context.isDryRun) return tellPlan(context, bodies)
    await report(context, await addAll(context, client, bodies))
  },
}

type Body = ReturnType<typeof toBody>

function toBody(subject: string, teamId: string | null) {
  return { subject, ...(/^\S+@\S+$/.test(subject) ? { email: subject } : {}), team_id: teamId }
}

function subjectsIn(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))]
}

async function tellPlan(context: Context, bodies: readonly Body[]): Promise<void> {
  if (isDocumentFormat(context.output.format))
    return printDocument(context.output, { dry_run: true, method: 'POST', path: '/admin/users', bodies }, [])
  for (const body of bodies) await change(context, { method: 'POST', path: '/admin/users', body, done: () => '' })
}

/** What would meet everybody after it in the same way ends the work. */
const forEverybody: ReadonlySet<ExitName> = new Set(['signInNeeded', 'notAllowed', 'unreachable', 'interrupted'])

async function addAll({ io }: Context, client: Client, bodies: readonly Body[]): Promise<Imported> {
  const outcome: Imported = { added: [], present: [], failed: [] }
  for (const body of bodies)
    try {
      await client.send('POST', '/admin/users', body)
      outcome.added.push(body.subject)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (forEverybody.has(error.parts.exit)) {
        io.err(`${outcome.added.length} of ${bodies.length} were added before this. Run it again to go on.\n`)
        throw error
      }
      if (error.parts.code === 'conflict') outcome.present.push(body.subject)
      else outcome.failed.push({ subject: body.subject, message: error.message })
    }
  return outcome
}

async function report({ io, output }: Context, outcome: Imported): Promise<void> {
  const { added, present, failed } = outcome
  if (isDocumentFormat(output.format)) await printDocument(output, outcome, [])
  else
    io.out(`Added ${people(added.length)}; ${present.length} ${present.length === 1 ? 'was' : 'were'} there already.\n`)
  if (failed.length === 0) return
  for (const { subject, message } of failed) io.err(`${subject}: ${message}\n`)
  throw new CliError(`${people(failed.length)} could not be added`, {
    exit: 'failed',
    next: 'mend their lines and run it again: whoever is there stays as they are',
  })
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${count} people`
}
