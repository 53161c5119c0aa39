/** The metrics of the whole process: makes the registry from the table and shows what no other part shows. */

import type { Database } from '../foundation/database/database.ts'
import { type InstrumentName, instrumentTable, prometheusName } from '../foundation/domain/instruments.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { newId } from '../foundation/platform/ids.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { LoopStatus } from '../foundation/platform/loops.ts'
import { createMetrics, type Instrument, type Metrics } from '../foundation/platform/metrics.ts'
import { watchProcess } from '../foundation/platform/process-figures.ts'
import { createTraces } from '../foundation/platform/traces.ts'
import { type AdmissionMeters, createAdmissionMeters } from '../message-path/meters/admission-meters.ts'
import { createCallTracer } from '../message-path/meters/call-traces.ts'
import type { CallTracer } from '../message-path/ports.ts'

export interface TelemetryParts {
  readonly version: string
  readonly otlpEndpoint: string | null
  readonly tracesExporter: 'none' | 'otlp'
  readonly log: Logger
}

export interface Telemetry extends Metrics<InstrumentName> {
  readonly tracer: CallTracer | undefined
  readonly admission: AdmissionMeters
  /** What is known only when everything else has been made. */
  readonly show: (facts: ShownFacts) => void
}

export interface ShownFacts {
  readonly snapshot: () => Snapshot
  /** Empty before the loops run. */
  readonly loops: () => readonly LoopStatus[]
  readonly findDatabase: () => Database | undefined
  /** Undefined while nobody reads the list. */
  readonly priceListAgeMs: () => number | undefined
  readonly certificateExpiresAtMs: number | null
}

const QUIET_MS = 600_000

export async function createTelemetry(parts: TelemetryParts): Promise<Telemetry> {
  const { version, otlpEndpoint, log } = parts
  const instanceId = newId()
  const toldAtMs = new Map<string, number>()
  const mayTell = (what: string): boolean => {
    const isNews = performance.now() - (toldAtMs.get(what) ?? Number.NEGATIVE_INFINITY) >= QUIET_MS
    if (isNews) toldAtMs.set(what, performance.now())
    return isNews
  }
  const metrics = await createMetrics<InstrumentName>({
    version,
    otlpEndpoint,
    instanceId,
    table: registryTable(),
    onUnreadable: (name, error) => {
      if (mayTell(name)) log.error({ err: error, metric: name }, 'a metric could not be read')
    },
    onPushProblem: (text) => {
      if (mayTell('push'))
        log.warn({ reason: text.slice(0, 500) }, 'metrics or traces could not be sent to the OpenTelemetry receiver')
    },
  })
  const stopWatching = showProcess(metrics, version)
  const traces =
    otlpEndpoint === null || parts.tracesExporter === 'none'
      ? undefined
      : await createTraces({ version, instanceId, endpoint: otlpEndpoint })
  return {
    ...metrics,
    tracer: traces && createCallTracer(traces, systemClock),
    admission: createAdmissionMeters(metrics.instruments),
    show: (facts) => showFacts(metrics, facts),
    shutdown: async () => {
      stopWatching()
      await Promise.all([metrics.shutdown(), traces?.shutdown()])
    },
  }
}

export function registryTable(): Readonly<Record<InstrumentName, Instrument>> {
  const rows = Object.entries(instrumentTable).map(([name, spec]) => {
    const buckets = 'buckets' in spec ? spec.buckets : []
    return [name, { ...spec, buckets, prometheusName: prometheusName(name, spec) }]
  })
  return Object.fromEntries(rows) as Record<InstrumentName, Instrument>
}

function showProcess({ instruments }: Metrics<InstrumentName>, version: string): () => void {
  const figures = watchProcess()
  const startedAtSeconds = Date.now() / 1000 - process.uptime()
  instruments.observe('gateway_build_info', (show) => show(1, { version, node: process.version }))
  instruments.observe('gateway_start_time_seconds', (show) => show(startedAtSeconds))
  instruments.observe('gateway_cpu_seconds', (show) => show(figures.cpuSeconds()))
  instruments.observe('gateway_event_loop_utilization', (show) => show(figures.utilization()))
  instruments.observe('gateway_event_loop_delay_seconds', (show) => {
    for (const [at, seconds] of Object.entries(figures.delay())) show(seconds, { at })
  })
  instruments.observe('gateway_memory_bytes', (show) => {
    for (const [kind, bytes] of Object.entries(figures.memory())) show(bytes, { kind })
  })
  return figures.stop
}

function showFacts({ instruments }: Metrics<InstrumentName>, facts: ShownFacts): void {
  instruments.observe('gateway_loop_age_seconds', (show) => {
    for (const { name, ageMs } of facts.loops()) show(ageMs / 1000, { loop: name })
  })
  instruments.observe('gateway_loop_interval_seconds', (show) => {
    for (const { name, intervalMs } of facts.loops()) show(intervalMs / 1000, { loop: name })
  })
  instruments.observe('gateway_loop_errors', (show) => {
    for (const { name, errors } of facts.loops()) show(errors, { loop: name })
  })
  // The poll ends well only when the snapshot is the one that the database has.
  instruments.observe('gateway_snapshot_age_seconds', (show) => {
    for (const { name, ageMs } of facts.loops()) if (name === 'snapshot-poll') show(ageMs / 1000)
  })
  instruments.observe('gateway_snapshot_version', (show) => {
    for (const [section, version] of Object.entries(facts.snapshot().versions)) show(version, { section })
  })
  instruments.observe('gateway_price_list_age_seconds', (show) => {
    const ageMs = facts.priceListAgeMs()
    if (ageMs !== undefined) show(ageMs / 1000)
  })
  instruments.observe('gateway_tls_expiry_time_seconds', (show) => {
    if (facts.certificateExpiresAtMs !== null) show(facts.certificateExpiresAtMs / 1000)
  })
  showPool(instruments, facts)
}

function showPool(instruments: Metrics<InstrumentName>['instruments'], { findDatabase }: ShownFacts): void {
  instruments.observe('gateway_database_connections', (show) => {
    const pool = findDatabase()?.pool
    if (pool === undefined) return
    show(pool.totalCount - pool.idleCount, { state: 'in_use' })
    show(pool.idleCount, { state: 'idle' })
  })
  instruments.observe('gateway_database_connections_max', (show) => {
    const max = findDatabase()?.pool.options.max
    if (max !== undefined) show(max)
  })
  instruments.observe('gateway_database_waiting', (show) => {
    const waiting = findDatabase()?.pool.waitingCount
    if (waiting !== undefined) show(waiting)
  })
}
