/** `causeway analytics what-if`, `unit-price` and `adoption`: what the money buys, and what it would buy elsewhere. */
import type { Leaf } from '../../command/command.ts'
import { type Context, printInner } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { count, money, percent, share } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'
import { queryOf, teamOption, usageOptions } from './usage-options.ts'

/** Words around a table are for people alone: programs and pipes get rows. */
function say(context: Context, text: string): void {
  const { format } = context.output
  if (format === 'table' || format === 'wide') context.io.out(`${text}\n`)
}

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
      ...queryOf(values),
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

const unitFigures: readonly (readonly [name: string, field: string, shown: (value: number | null) => string])[] = [
  ['a person on an active day', 'usd_per_person_day', money],
  ['active days of people', 'person_days', count],
  ['spent by people', 'spend_usd', money],
  ['spent by nobody', 'other_spend_usd', money],
]

export const unitPrice: Leaf = {
  name: 'unit-price',
  summary: 'cost of a person on an active day, beside the published marks',
  kind: 'read',
  routes: ['GET /admin/analytics/unit-price'],
  options: usageOptions,
  about: 'Keys without a person, and the probes of the gateway, are told apart and not divided.',
  examples: ['analytics unit-price --days 30', 'analytics unit-price --team platform --tz Europe/Berlin --json'],
  run: async (context, _args, values) => {
    const document = await (await context.client()).get('/admin/analytics/unit-price', queryOf(values))
    await printInner(context, {
      document,
      rows: unitFigures.map(([figure, field]) => ({
        figure,
        field,
        now: document.unit_price[field],
        before: document.previous[field],
      })),
      columns: [
        { name: 'figure', value: (row) => row.figure },
        ...(['now', 'before'] as const).map(
          (name): Column<Row> => ({
            name,
            value: (row) => row[name],
            shown: (row) => shownFigure(row, name),
            right: true,
          }),
        ),
      ],
      empty: 'There is nothing in this range.',
    })
    for (const { usd, text } of document.marks) say(context, `${money(usd)}: ${text}`)
  },
}

function shownFigure(row: Row, name: 'now' | 'before'): string {
  const shown = unitFigures.find(([, field]) => field === row.field)?.[2]
  return shown?.(row[name]) ?? ''
}

export const adoption: Leaf = {
  name: 'adoption',
  summary: 'how many people were invited, have connected, and are active',
  kind: 'read',
  routes: ['GET /admin/analytics/adoption'],
  options: [teamOption],
  about: 'Where people stand now; `users list --adoption` names them.',
  examples: ['analytics adoption', 'analytics adoption --team platform'],
  run: async (context, _args, { team }) => {
    const document = await (await context.client()).get('/admin/analytics/adoption', { team })
    const { text, number } = columnKit(context.output)
    const part = (name: string, field: string): Column<Row> => ({
      name,
      value: (row) => row[field],
      shown: (row) => share(row[field]),
      right: true,
    })
    await printInner(context, {
      document,
      rows: document.stages,
      columns: [
        text('stage'),
        number('people', 'people'),
        part('of invited', 'share'),
        part('of the stage before', 'share_of_previous'),
      ],
      empty: 'Nobody was invited.',
    })
  },
}
