/** `causeway analytics unit-price`: what a person costs on an active day. */
import type { Leaf } from '../../command/command.ts'
import { printInner, say } from '../../command/context.ts'
import type { Row } from '../../output/render.ts'
import { count, money } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'
import { toQuery, usageOptions } from './usage-options.ts'

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
    const document = await (await context.client()).get('/admin/analytics/unit-price', toQuery(values))
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
