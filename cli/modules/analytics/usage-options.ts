/** What every command that sums up usage over a range takes, and what becomes of it in a query. */
import type { Opt } from '../../command/command.ts'
import type { Values } from '../../command/context.ts'

export const rangeOptions: readonly Opt[] = [
  { flags: '--days <n>', text: 'relative range', choices: ['1', '7', '14', '30', '90'] },
  { flags: '--from <date>', text: 'first day, YYYY-MM-DD; with --to' },
  { flags: '--to <date>', text: 'last day, YYYY-MM-DD' },
  { flags: '--granularity <size>', text: 'size of time buckets', choices: ['auto', 'hour', 'day', 'week'] },
  { flags: '--tz <zone>', text: 'IANA name of the time zone; default UTC' },
]
export const teamOption: Opt = {
  flags: '--team <names>',
  text: 'only these teams, comma-separated',
  parse: asWritten,
  values: 'teams',
}
const filterOptions: readonly Opt[] = [
  { flags: '--until <time>', text: 'the last day up to this time, HH:MM at a quarter of an hour' },
  teamOption,
  { flags: '--user <users>', text: 'only these people', parse: asWritten, values: 'users' },
  { flags: '--model <ids>', text: 'only these models', parse: asWritten, values: 'models' },
  { flags: '--endpoint <names>', text: 'only these endpoints', parse: asWritten, values: 'endpoints' },
]
export const usageOptions: readonly Opt[] = [...rangeOptions, ...filterOptions]

/** The gateway takes it apart: it knows which names have a comma in them. */
function asWritten(text: string, previous: unknown): string {
  return previous === undefined ? text : `${previous},${text}`
}

export function toQuery(values: Values): Readonly<Record<string, string | undefined>> {
  const { days, from, to, until, granularity, tz, team, user, model, endpoint } = values
  return { days, from, to, until, granularity, tz, team, user, model, endpoint }
}
