/** Prints the table with ratios and goals, and keeps the whole run as JSON. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { judge, type Verdict } from './goals.ts'
import type { MachineFacts } from './machine.ts'
import type { Row } from './scenarios/scenario.ts'

export interface Run {
  readonly at: string
  readonly quick: boolean
  readonly machine: MachineFacts
  readonly compared: Readonly<Record<string, string>>
  /** Of the whole machine, while nothing of the run was there: above a tenth, absolute values are worth little. */
  readonly usedByOthers: { readonly before: number; readonly after: number }
  readonly loadAverage: { readonly before: number; readonly after: number }
  readonly rows: readonly Row[]
}

export function printRun(run: Run): void {
  const verdicts = judge(run.rows)
  const lines = [
    ['case', 'unit', 'Causeway', 'nginx', '× nginx', 'Portkey', 'Portkey ×', 'spread', 'goals of this release'],
    ...run.rows.map((row) => cells(row, verdicts)),
  ]
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  console.log(
    `\ncommit ${run.machine.commit}${run.machine.dirty ? ' with changes' : ''}, node ${run.machine.node}; ` +
      `used by others ${percent(run.usedByOthers.before)} before and ${percent(run.usedByOthers.after)} after; ` +
      `load average ${run.loadAverage.before} and ${run.loadAverage.after}`,
  )
}

function cells(row: Row, verdicts: readonly Verdict[]): string[] {
  const { causeway, nginx, portkey } = row.values
  const judged = verdicts.filter((verdict) => verdict.row === row.id).map((one) => `${one.goal} ${one.verdict}`)
  return [
    row.title,
    row.unit,
    shown(causeway),
    shown(nginx),
    ratio(causeway, nginx),
    shown(portkey),
    ratio(portkey, causeway),
    spread(row.rounds.causeway),
    judged.join(', '),
  ]
}

function shown(value: number | undefined): string {
  if (value === undefined) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

function ratio(value: number | undefined, base: number | undefined): string {
  return value === undefined || base === undefined || base <= 0 ? '–' : (value / base).toFixed(1)
}

/** How far the rounds lie apart: a wide spread says that the machine was busy with something else. */
function spread(values: readonly number[] | undefined): string {
  if (values === undefined || values.length < 2) return '–'
  return `${shown(Math.min(...values))}…${shown(Math.max(...values))}`
}

export function saveRun(run: Run, folder: string): string {
  const file = join(folder, `${run.at.slice(0, 10)}-${run.machine.commit}${run.quick ? '-quick' : ''}.json`)
  writeFileSync(file, `${JSON.stringify({ ...run, goals: judge(run.rows) }, null, 2)}\n`)
  return file
}
