/** The tables of docs/scaling.md, made from a kept result; a test holds the page to them. */
import { assumptions, type Costs, computeCosts, type MeasuredLayout, rounded, sizeFor, sizingTable } from './sizing.ts'

export interface ScaleReport {
  readonly layouts: readonly MeasuredLayout[]
  readonly bytesPerRecord: number
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Microseconds a call are milliseconds a thousand calls. */
function layoutTable({ layouts }: ScaleReport): string {
  const columns = ['', ...layouts.map(({ name }) => name)]
  const row = (title: string, read: (layout: MeasuredLayout) => string): readonly string[] => [
    title,
    ...layouts.map(read),
  ]
  return table(columns, [
    row('2 KB calls, as fast as they go: calls/s', ({ small }) => rounded(small.callsPerSecond)),
    row('… gateway, ms of a core for 1,000 calls', ({ small }) => rounded(small.gatewayMicrosPerCall)),
    row('… Postgres, ms of a core for 1,000 calls', ({ small }) => rounded(small.databaseMicrosPerCall)),
    row('… statements for 1,000 calls', ({ small }) => rounded(small.statementsPer1000Calls)),
    row('50 KB calls, 20 paced events: calls/s', (one) => rounded(one.streamsOf20Events.callsPerSecond)),
    row('… gateway, ms of a core for 1,000 calls', (one) => rounded(one.streamsOf20Events.gatewayMicrosPerCall)),
    row('… Postgres, ms of a core for 1,000 calls', (one) => rounded(one.streamsOf20Events.databaseMicrosPerCall)),
    row('… statements for 1,000 calls', (one) => rounded(one.streamsOf20Events.statementsPer1000Calls)),
    row('the same with 100 events: gateway, ms for 1,000 calls', (one) =>
      rounded(one.streamsOf100Events.gatewayMicrosPerCall),
    ),
    row('memory of each process after that', ({ memoryMb }) => `${memoryMb.join(' and ')} MB`),
    row('at rest, each process: statements/s', ({ idlePerProcess }) => rounded(idlePerProcess.statementsPerSecond)),
    row('… gateway, ms of a core each second', ({ idlePerProcess }) =>
      rounded(idlePerProcess.gatewayMicrosPerSecond / 1000),
    ),
    row('… Postgres, ms of a core each second', ({ idlePerProcess }) =>
      rounded(idlePerProcess.databaseMicrosPerSecond / 1000),
    ),
  ])
}

/** How the last row of the sizing table comes about, number by number. */
function workedExample(costs: Costs): string {
  const { callsPerDay, workingHours, peakFactor, eventsPerCall, secondsPerCall, kilobytesPerStream, targetUse } =
    assumptions
  const size = sizeFor(50_000, costs)
  const perCall = costs.callMicros + eventsPerCall * costs.eventMicros
  return [
    `calls/s     50,000 × ${callsPerDay} × ${peakFactor} ÷ (${workingHours} × 3,600)  =  ${rounded(size.callsPerSecond)}`,
    `a call      ${costs.callMicros} µs + ${eventsPerCall} events × ${costs.eventMicros} µs  =  ${rounded(perCall / 1000)} ms of a core`,
    `gateway     ${rounded(size.callsPerSecond)} × ${rounded(perCall / 1000)} ms ÷ (${targetUse} − ${rounded(costs.idleGatewayMicrosPerSecond / 1e6)})  =  ${rounded(size.gatewayCores)} cores, ${size.processes} processes`,
    `streams     ${rounded(size.callsPerSecond)} × ${secondsPerCall} s  =  ${rounded(size.streams)}`,
    `memory      ${size.processes} × ${costs.processMb} MB + ${rounded(size.streams)} × ${kilobytesPerStream} KB  =  ${rounded(size.memoryMb / 1024)} GB`,
    `statements  ${rounded(size.callsPerSecond)} × ${costs.statementsPerCall} + ${size.processes} × ${costs.idleStatementsPerSecond}  =  ${rounded(size.statementsPerSecond)}/s`,
    `Postgres    (${rounded(size.callsPerSecond)} × ${costs.databaseMicrosPerCall} µs + ${size.processes} × ${rounded(costs.idleDatabaseMicrosPerSecond)} µs) ÷ ${targetUse}  =  ${rounded(size.databaseCores)} cores`,
    `spend log   50,000 × ${callsPerDay} × ${costs.bytesPerRecord} bytes  =  ${rounded(size.gigabytesPerDay)} GB a day`,
  ].join('\n')
}

export function allTables(report: ScaleReport): readonly string[] {
  const costs = computeCosts(report.layouts, report.bytesPerRecord)
  return [layoutTable(report), sizingTable(costs), workedExample(costs)]
}
