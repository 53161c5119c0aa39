/** `causeway status`: is everything well, in one screen. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Leaf } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { pause } from '../../command/moments.ts'
import { paintStatus } from '../../output/paint.ts'
import { isForPeople, printValues, type Row } from '../../output/render.ts'
import { relativeTime } from '../../output/shown.ts'
import { type Column, harmless, tableLines } from '../../output/table.ts'
import { CliError } from '../../terminal/cli-error.ts'

const WATCH_SECONDS = 2
/** As the portal has it: until then a batch is on its way. */
const LATE_SECONDS = 60
const CLEAR_SCREEN = '\u001b[2J\u001b[H'

export const status: Leaf = {
  name: 'status',
  summary: 'is the gateway well: instances, database, endpoints, loops',
  kind: 'read',
  routes: ['GET /admin/status'],
  options: [
    { flags: '--watch', text: 'show it again and again, until Ctrl-C' },
    { flags: '--interval <time>', text: 'pause between looks, 1s to 1d; default 2s', parse: pause },
  ],
  about: 'Ends with code 8 when something is wrong.',
  examples: ['status', 'status --watch', 'status --json'],
  run: async (context, _args, values) => {
    const client = await context.client()
    for (;;) {
      const document = await client.get('/admin/status')
      if (values['watch'] !== true) return finish(context, document)
      if (context.io.isTerminal) context.io.out(CLEAR_SCREEN)
      await show(context, document)
      await sleep((values['interval'] ?? WATCH_SECONDS) * 1_000, undefined, { signal: context.io.signal }).catch(
        () => undefined,
      )
      if (context.io.signal.aborted) throw new CliError('stopped', { exit: 'interrupted' })
    }
  },
}

async function finish(context: Context, document: Row): Promise<void> {
  await show(context, document)
  const troubles = listTroubles(document)
  if (troubles.length > 0) throw new CliError(troubles.join('; '), { exit: 'checkFailed', next: 'causeway doctor' })
}

/** What a person would call wrong. */
export function listTroubles(document: Row): readonly string[] {
  const { database, endpoints, loops, instances, ledger } = document
  const names = (rows: readonly Row[], isWrong: (row: Row) => boolean): string =>
    rows
      .filter(isWrong)
      .map((row) => row.name ?? row.id)
      .join(', ')
  // An error that a later run made good is history.
  const failing = names(
    loops,
    (loop) => loop.last_error !== null && !(Date.parse(loop.last_success_at) > Date.parse(loop.last_error_at)),
  )
  const unhealthy = names(endpoints, (endpoint) => endpoint.enabled && endpoint.health_status === 'unhealthy')
  const silent = names(instances, (instance) => instance.status === 'silent')
  return [
    ...(database.status === 'away'
      ? [`the database is away${database.error === null ? '' : `: ${database.error}`}`]
      : []),
    ...(unhealthy === '' ? [] : [`unhealthy endpoints: ${unhealthy}`]),
    ...(failing === '' ? [] : [`failing loops: ${failing}`]),
    ...(silent === '' ? [] : [`silent instances: ${silent}`]),
    ...(ledger.journal_failing ? ['the spend journal cannot be written'] : []),
    ...(ledger.lag_seconds > LATE_SECONDS
      ? [`spend has waited ${Math.round(ledger.lag_seconds)} s for the database: budgets and charts are behind`]
      : []),
    ...(ledger.quarantined > 0 ? [`${ledger.quarantined} spend records are in quarantine`] : []),
    // Releases from before do not tell.
    ...((document.uncounted_records ?? 0) > 0 ? [`${document.uncounted_records} spend records are in no chart`] : []),
    ...((document.unclosed_periods ?? 0) > 0
      ? [`sums of ${document.unclosed_periods} periods cannot be put together`]
      : []),
  ]
}

async function show(context: Context, document: Row): Promise<void> {
  const { output, io, paint } = context
  if (!isForPeople(output.format)) return printValues(output, document)
  for (const [name, value] of Object.entries(document)) {
    const isList = Array.isArray(value) && value.length > 0
    io.out(`${paint.bold(name)}  ${isList ? '' : Array.isArray(value) ? 'none' : shortly(context, value)}`.trimEnd())
    io.out('\n')
    if (isList) for (const line of listed(context, value)) io.out(`  ${line}\n`)
  }
}

/** The document may grow; whatever is in it is shown, and no column is that has nothing in any row. */
function listed(context: Context, rows: readonly Row[]): readonly string[] {
  const { paint } = context
  const parts = rows.map((row) => new Map(listParts(row)))
  const names = [...new Set(parts.flatMap((row) => [...row.keys()]))]
  const columns = names.map(
    (name): Column<ReadonlyMap<string, Row>> => ({
      name: name.replaceAll('_', ' '),
      value: (row) => (row.has(name) ? plainly(context, row.get(name)) : undefined),
      paint: (text) => text.replace(text.trim(), (word) => paintStatus(paint, word)),
      right: parts.every((row) => !row.has(name) || typeof row.get(name) === 'number'),
    }),
  )
  return tableLines(parts, columns, { paint, wide: true, columns: context.io.columns })
}

type Part = readonly [name: string, value: Row]

/** Every value under its name, `ledger waiting` of what stands in `ledger`. Nobody reads ids here. */
function listParts(value: Row): readonly Part[] {
  return Object.entries(value)
    .filter(([name, part]) => part !== null && !/(^|_)id$/.test(name))
    .flatMap(([name, part]): readonly Part[] =>
      typeof part === 'object' && !Array.isArray(part)
        ? listParts(part).map(([inner, one]) => [`${name} ${inner}`, one])
        : [[name, part]],
    )
}

function plainly(context: Context, value: Row): string {
  if (Array.isArray(value)) return value.map((one) => plainly(context, one)).join(', ')
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^\d{4}-\d\d-\d\dT/.test(value) ? relativeTime(value, context.io.nowMs()) : value
}

function shortly(context: Context, value: Row): string {
  const { paint } = context
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return paintStatus(paint, harmless(plainly(context, value ?? '-')))
  return listParts(value)
    .map(([name, part]) => `${paint.dim(name)} ${shortly(context, part)}`)
    .join('  ')
}
