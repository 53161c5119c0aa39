/** From measured costs to machines: the arithmetic of docs/scaling.md, in one place and with every step visible. */

/** What one gateway process and the database were seen to use. */
export interface Costs {
  /** Of a streamed call with a body of 50 KB, without its events. */
  readonly callMicros: number
  /** Of one event of a stream at the pace of a model. */
  readonly eventMicros: number
  readonly databaseMicrosPerCall: number
  readonly statementsPerCall: number
  /** Of a process that serves nothing. */
  readonly idleGatewayMicrosPerSecond: number
  readonly idleStatementsPerSecond: number
  readonly idleDatabaseMicrosPerSecond: number
  readonly processMb: number
  readonly bytesPerRecord: number
}

interface PerCall {
  readonly callsPerSecond: number
  readonly gatewayMicrosPerCall: number
  readonly databaseMicrosPerCall: number
  readonly statementsPer1000Calls: number
}

/** One way to spread the gateway, as it was measured. */
export interface MeasuredLayout {
  readonly name: string
  readonly processes: number
  readonly small: PerCall
  readonly streamsOf20Events: PerCall
  readonly streamsOf100Events: PerCall
  readonly memoryMb: readonly number[]
  readonly idlePerProcess: {
    readonly statementsPerSecond: number
    readonly gatewayMicrosPerSecond: number
    readonly databaseMicrosPerSecond: number
  }
}

/**
 * What a call adds to what a process uses anyway. Taken from the last layout, where processes share the database: alone, a
 * process asks it for less.
 */
export function computeCosts(layouts: readonly MeasuredLayout[], bytesPerRecord: number): Costs {
  const shared = layouts.at(-1)
  if (shared === undefined) throw new Error('nothing was measured')
  const { streamsOf20Events: few, streamsOf100Events: many, idlePerProcess: idle, processes } = shared
  const added = (perCall: number, idlePerSecond: number): number =>
    perCall - (processes * idlePerSecond) / few.callsPerSecond
  const eventMicros = (many.gatewayMicrosPerCall - few.gatewayMicrosPerCall) / 80
  return {
    callMicros: three(added(few.gatewayMicrosPerCall, idle.gatewayMicrosPerSecond) - 20 * eventMicros),
    eventMicros: three(eventMicros),
    databaseMicrosPerCall: three(added(few.databaseMicrosPerCall, idle.databaseMicrosPerSecond)),
    statementsPerCall: three(added(few.statementsPer1000Calls / 1000, idle.statementsPerSecond)),
    idleGatewayMicrosPerSecond: idle.gatewayMicrosPerSecond,
    idleStatementsPerSecond: idle.statementsPerSecond,
    idleDatabaseMicrosPerSecond: idle.databaseMicrosPerSecond,
    processMb: Math.max(...layouts.flatMap(({ memoryMb }) => memoryMb)),
    bytesPerRecord,
  }
}

function three(value: number): number {
  return Number(value.toPrecision(3))
}

/** What is assumed of people. Change these, not the measured figures. */
export const assumptions = {
  callsPerDay: 200,
  workingHours: 8,
  /** The busiest minutes against the average of the working hours. */
  peakFactor: 3,
  eventsPerCall: 300,
  secondsPerCall: 20,
  kilobytesPerStream: 40,
  /** Processors that are planned to be in use at the peak. */
  targetUse: 0.6,
}

export interface Size {
  readonly developers: number
  readonly callsPerSecond: number
  readonly streams: number
  readonly gatewayCores: number
  readonly processes: number
  readonly memoryMb: number
  readonly statementsPerSecond: number
  readonly databaseCores: number
  readonly gigabytesPerDay: number
}

/** Two processes are the least for a service that must not stop when one of them does. */
const LEAST_PROCESSES = 2

export function sizeFor(developers: number, costs: Costs): Size {
  const { callsPerDay, workingHours, peakFactor, eventsPerCall, secondsPerCall, kilobytesPerStream, targetUse } =
    assumptions
  const callsPerSecond = (developers * callsPerDay * peakFactor) / (workingHours * 3600)
  const microsPerCall = costs.callMicros + eventsPerCall * costs.eventMicros
  const usable = targetUse - costs.idleGatewayMicrosPerSecond / 1e6
  const gatewayCores = (callsPerSecond * microsPerCall) / 1e6 / usable
  const processes = Math.max(LEAST_PROCESSES, Math.ceil(gatewayCores))
  const streams = callsPerSecond * secondsPerCall
  const databaseMicros = callsPerSecond * costs.databaseMicrosPerCall + processes * costs.idleDatabaseMicrosPerSecond
  return {
    developers,
    callsPerSecond,
    streams,
    gatewayCores,
    processes,
    memoryMb: processes * costs.processMb + (streams * kilobytesPerStream) / 1024,
    statementsPerSecond: callsPerSecond * costs.statementsPerCall + processes * costs.idleStatementsPerSecond,
    databaseCores: databaseMicros / 1e6 / targetUse,
    gigabytesPerDay: (developers * callsPerDay * costs.bytesPerRecord) / 1e9,
  }
}

const sizes = [50, 500, 5_000, 50_000]

export function sizingTable(costs: Costs): string {
  const rows = sizes.map((developers) => {
    const size = sizeFor(developers, costs)
    const cells = [
      developers.toLocaleString('en'),
      rounded(size.callsPerSecond),
      rounded(size.streams),
      rounded(size.gatewayCores),
      String(size.processes),
      `${rounded(size.memoryMb / 1024)} GB`,
      rounded(size.statementsPerSecond),
      rounded(size.databaseCores),
      `${rounded(size.gigabytesPerDay)} GB`,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Developers | Calls/s at the peak | Streams at once | Cores for the gateway | Processes | Memory in all | Statements/s | Cores for Postgres | Spend log a day |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

/** Two digits that count: more would claim what was not measured. */
export function rounded(value: number): string {
  if (value >= 100) return Math.round(Number(value.toPrecision(2))).toLocaleString('en')
  return String(Number(value.toPrecision(2)))
}
