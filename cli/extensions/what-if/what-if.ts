/** `causeway analytics what-if`: what the same calls would have cost with another model. */
import type { Leaf } from '../../command/command.ts'
import { printInner, say } from '../../command/context.ts'
import { toQuery, usageOptions } from '../../modules/analytics/usage-options.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { money, percent, share } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'

const kinds = [
  ['input', 'input'],
  ['output', 'output'],
  ['cache read', 'cache_read'],
  ['cache write, 5 minutes', 'cache_write_5m'],
  ['cache write, 1 hour', 'cache_write_1h'],
] as const

/** A row for each kind of token in each part. */
function tokenRows(answer: Row): readonly Row[] {
  return answer.parts.flatMap((part: Row) =>
    kinds.map(([kind, field]) => ({
      profile: part.long_context ? `${part.scope}, long prompts` : part.scope,
      kind,
      tokens: part.tokens[field],
      from_rate: part.from_rates?.[`${field}_usd_per_mtok`] ?? null,
      to_rate: part.to_rates[`${field}_usd_per_mtok`],
    })),
  )
}

function sentence({ share: moved, spend_usd: spent, what_if: answer }: Row): string {
  const { from, to, would_spend_usd: would, difference_usd: difference, difference_share: part } = answer
  const change =
    difference === 0
      ? 'no difference'
      : `${money(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'}${part === null ? '' : ` (${share(Math.abs(part))})`}`
  return `If ${percent(moved)} of the calls to ${from.name} had gone to ${to.name}, this period would have cost ${money(would)} instead of ${money(spent)}: ${change}.`
}

const nothing: Readonly<Record<string, string>> = {
  no_calls: 'There is no call to a model in this range.',
  no_other_model: 'No cheaper model of another family has a price; name one with --to-model.',
}

export const whatIf: Leaf = {
  name: 'what-if',
  summary: 'what the range would have cost with another model',
  kind: 'read',
  routes: ['GET /admin/analytics/what-if'],
  options: [
    { flags: '--from-model <id>', text: 'the model that was called; the dearest by default', values: 'models' },
    { flags: '--to-model <id>', text: 'whose prices are taken; the next cheaper family by default', values: 'models' },
    { flags: '--share <percent>', text: 'of the calls, 1 to 100; 30 by default' },
    ...usageOptions,
  ],
  about: 'The tokens are those that were recorded, the prices of the other model those in force now.',
  examples: ['analytics what-if', 'analytics what-if --from-model claude-opus-5 --to-model claude-sonnet-5 --share 50'],
  run: async (context, _args, values) => {
    const query = {
      ...toQuery(values),
      from_model: values['fromModel'],
      to_model: values['toModel'],
      share: values['share'],
    }
    const document = await (await context.client()).get('/admin/analytics/what-if', query)
    const isTold = !isDocumentFormat(context.output.format) && document.what_if !== null
    if (isTold) say(context, `${sentence(document)}\n`)
    const { text, number } = columnKit(context.output)
    const rate = (name: string, field: string): Column<Row> => ({
      name,
      value: (row) => row[field],
      shown: (row) => (row[field] === null ? '-' : `$${row[field]}`),
      right: true,
    })
    await printInner(context, {
      document,
      rows: document.what_if === null ? [] : tokenRows(document.what_if),
      columns: [
        text('profile'),
        text('kind'),
        number('tokens', 'tokens'),
        rate('was, per million', 'from_rate'),
        rate('would be', 'to_rate'),
      ],
      empty: nothing[document.reason] ?? 'There is no such call in this range.',
    })
    if (isTold) say(context, `\n${document.assumptions.map((line: string) => `- ${line}`).join('\n')}`)
  },
}
