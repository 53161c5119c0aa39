/** Filters and columns that every list of calls has. */
import type { Opt } from '../../command/command.ts'
import type { Context, Values } from '../../command/context.ts'
import { ago } from '../../command/moments.ts'
import { columnKit, wide } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { count } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'

/** Each option with the query parameter that it fills. `--errors` fills none: it is a word of the search. */
const filters: readonly (Opt & { readonly parameter?: string })[] = [
  {
    flags: '--user <user>',
    parameter: 'user',
    text: 'of people whose name has this in it; with = before it, of that one',
    values: 'users',
  },
  {
    flags: '--team <team>',
    parameter: 'team',
    text: 'of teams whose name has this in it, or =name',
    values: 'teams',
  },
  { flags: '--key <key>', parameter: 'key', text: 'with keys whose name has this in it, or =name', values: 'keys' },
  { flags: '--model <id>', parameter: 'model', text: 'of models whose id has this in it, or =id', values: 'models' },
  {
    flags: '--endpoint <endpoint>',
    parameter: 'endpoint',
    text: 'served by endpoints whose name has this in it, or =name',
    values: 'endpoints',
  },
  { flags: '--status <status>', parameter: 'status', text: 'ok, error, or a status such as 429' },
  { flags: '--tool <name>', parameter: 'tool', text: 'in which a tool was called' },
  {
    flags: '--reason <kind>',
    parameter: 'reason',
    text: 'that failed for this reason, such as budget or throttled_by_aws',
  },
  {
    flags: '--flag <flag>',
    parameter: 'flag',
    text: 'estimated, aborted, unpriced, probe, clamped or price_estimated',
  },
  { flags: '--session <id>', parameter: 'session_id', text: 'of one client session' },
  { flags: '--errors', text: 'only those that failed' },
  { flags: '--since <when>', parameter: 'from', text: 'such as 2h or 2027-01-31', parse: ago },
  { flags: '--until <when>', parameter: 'to', text: 'the same', parse: ago },
]
export const requestFilters: readonly Opt[] = filters

export function requestQuery(values: Values): Readonly<Record<string, string | undefined>> {
  const given = filters.flatMap(({ flags, parameter }) => {
    const [, option = ''] = /^--(\w+)/.exec(flags) ?? []
    return parameter === undefined ? [] : [[parameter, values[option]]]
  })
  const { errors, search } = values
  // A word of the search and not the status, which may be named beside it: both must hold.
  const words = errors === true ? [...(search === undefined ? [] : [search]), 'status:error'] : []
  return { ...Object.fromEntries(given), ...(words.length > 0 ? { q: words.join(' ') } : {}) }
}

/** The contract names people, teams and endpoints by name or by a small record. */
export function nameIn(value: Row): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'object' ? (value.name ?? value.subject ?? value.id) : String(value)
}

export function requestColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  const named = (name: string): Column<Row> => ({ name, value: (row) => nameIn(row[name]) })
  return [
    kit.time('at', 'at'),
    { ...kit.text('status'), paint: (text, row) => (Number(row.status) >= 400 ? context.paint.red(text) : text) },
    named('user'),
    wide(named('team')),
    wide(named('key')),
    kit.text('model'),
    named('endpoint'),
    { name: 'tokens in', value: (row) => row.tokens?.input, shown: (row) => count(row.tokens?.input), right: true },
    { name: 'tokens out', value: (row) => row.tokens?.output, shown: (row) => count(row.tokens?.output), right: true },
    kit.usd('cost', 'cost_usd'),
    kit.ms('took', 'duration_ms'),
    wide(kit.ms('first token', 'first_token_ms')),
    wide(kit.text('error', 'error_type')),
    wide(kit.text('reason', 'reason.kind')),
    { name: 'request', value: (row) => row.request_id },
  ]
}
