/** `causeway budgets simulate`: whom a budget would have stopped. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, kinds } from '../../client/find-record.ts'
import type { Leaf } from '../../command/command.ts'
import { type Context, printInner, type Values } from '../../command/context.ts'
import { amount } from '../../command/option-values.ts'
import { readPolicy, subjectOptions } from '../../modules/budgets/budget-options.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { usageError } from '../../terminal/cli-error.ts'

/** What is asked of the gateway: whose budget it would be, and its terms. */
async function simulatedSubject(context: Context, { user, team, members, default: isDefault }: Values): Promise<Row> {
  if ([user, team, members, isDefault].filter((one) => one !== undefined).length !== 1)
    throw usageError('for whom? name one of --user, --team, --members and --default')
  const client = await context.client()
  if (user !== undefined) return { scope: 'user', subject_id: await findId(client, kinds.user, user) }
  if (team !== undefined) return { scope: 'team', subject_id: await findId(client, kinds.team, team) }
  if (members !== undefined) return { scope: 'members', subject_id: await findId(client, kinds.team, members) }
  return { scope: 'default' }
}

export const simulate: Leaf = {
  name: 'simulate',
  summary: 'try a budget against what was spent, without setting it',
  kind: 'read',
  routes: ['POST /admin/budgets/simulate'],
  options: [
    ...subjectOptions,
    { flags: '--members <team>', text: 'the limit of each member of a team', values: 'teams' },
    { flags: '--default', text: 'the default of everybody without a budget' },
    { flags: '--limit <usd>', text: 'dollars a period', parse: amount },
    { flags: '--period <period>', text: 'monthly by default', choices: ['daily', 'weekly', 'monthly'] },
    { flags: '--policy <policy>', text: 'standard by default', choices: ['standard', 'soft', 'shaped'] },
    { flags: '--rules-file <path>', text: 'own rules as JSON; - is standard input' },
  ],
  examples: ['budgets simulate --default --limit 50', 'budgets simulate --members platform --limit 20 --period weekly'],
  run: async (context, _args, values) => {
    if (values['limit'] === undefined) throw usageError('how much? name it with --limit')
    const subject = await simulatedSubject(context, values)
    const policy = await readPolicy(context)
    const document = await (await context.client()).send('POST', '/admin/budgets/simulate', {
      ...subject,
      limit_usd: values['limit'],
      period: values['period'] ?? 'monthly',
      ...defined({ policy }),
    })
    const kit = columnKit(context.output)
    await printInner(context, {
      document,
      rows: document.subjects,
      columns: [
        kit.text('name'),
        kit.status('status'),
        kit.usd('spend', 'spend_usd'),
        kit.percent('used', 'percent'),
        ...document.finished.map(({ from }: Row, place: number) => ({
          name: `stopped in ${from}`,
          value: (row: Row) => row.stopped_on[place],
        })),
        { ...kit.text('subject_id'), wide: true },
      ],
      empty: 'It would be for nobody.',
    })
    context.io.err(`${simulationText(document)}\n`)
  },
}

/** Beside the rows, of which there may be more than are listed. */
function simulationText({ total, current, finished }: Row): string {
  const { above, warning, shaped, blocked } = current
  return [
    `${above} of ${total} above the limit now: ${warning} warned, ${shaped} slowed down, ${blocked} stopped.`,
    ...finished.map(({ from, to, stopped }: Row) => `From ${from} to ${to} it would have stopped ${stopped}.`),
  ].join('\n')
}
