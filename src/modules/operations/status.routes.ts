/** One look at everything that runs: instances, database, endpoints, loops, the ledger, models without a price. */
import type { z } from 'zod'
import { findPriceIn } from '../../foundation/domain/find-price.ts'
import {
  type InstanceReport,
  type LedgerReport,
  SILENT_AFTER_SECONDS,
} from '../../foundation/domain/instance-report.ts'
import { findFoundationModelId } from '../../foundation/domain/model-id.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { forAdminsFromMemory } from '../../foundation/http/answers.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type {
  DatabaseStatus,
  HeardInstance,
  LoopState,
  StatusFacts,
  StatusPorts,
  UnpricedModel,
} from './status-ports.ts'
import { statusSchema } from './status-schema.ts'

type Status = z.infer<typeof statusSchema>

export function statusRoutes(ports: StatusPorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/status',
      access: 'admin',
      grants: ['ops:operate'],
      tag: 'Status',
      summary: 'How the gateway is',
      description:
        'Instances report every 5 seconds; one that ended without saying so is `silent` for an hour. `loops` and the health of endpoints are those of the answering instance; their calls are those of all instances. While the database is away the answer holds what this instance knows by itself.',
      answers: { 200: { text: 'The status', schema: statusSchema }, ...forAdminsFromMemory },
      handle: async () => ok(await readStatus(ports)),
    }),
  ]
}

async function readStatus({ snapshot, status }: StatusPorts): Promise<Status> {
  const database = await status.askDatabase()
  const instances = listInstances(status.ownReport(), database)
  return {
    instances,
    database: databaseBody(database),
    endpoints: listEndpoints(snapshot(), status),
    loops: status.loops().map(loopBody),
    ledger: wholeLedger(instances.map(({ ledger }) => ledger)),
    unpriced_models: listUnpriced(snapshot(), database.kind === 'ok' ? database.unpriced : []),
    prices_refreshed_at: toTime(status.pricesRefreshedAtMs()),
    uncounted_records: database.kind === 'ok' ? database.setAside.records : null,
    unclosed_periods: database.kind === 'ok' ? database.setAside.periods : null,
  }
}

/** What this instance says now is newer than what it has written. */
function listInstances(own: InstanceReport, database: DatabaseStatus): Status['instances'] {
  const now: HeardInstance = { ...own, seenAt: new Date().toISOString(), silentSeconds: 0 }
  const heard = database.kind === 'ok' ? database.instances : []
  const others = heard.filter(({ instanceId }) => instanceId !== own.instanceId)
  return [now, ...others].map((one) => ({
    id: one.instanceId,
    is_self: one === now,
    status: one.silentSeconds > SILENT_AFTER_SECONDS ? 'silent' : 'alive',
    version: one.version,
    started_at: one.startedAt,
    seen_at: one.seenAt,
    cache_version: one.cacheVersion,
    in_flight: one.inFlight,
    ledger: ledgerBody(one.ledger),
  }))
}

function ledgerBody(ledger: LedgerReport): Status['ledger'] {
  return {
    waiting: ledger.waiting,
    lag_seconds: rounded(ledger.lagSeconds),
    journal_bytes: ledger.journalBytes,
    journal_failing: ledger.journalFailing,
    quarantined: ledger.quarantined,
    last_flush_at: ledger.lastFlushAt,
  }
}

function wholeLedger(all: readonly Status['ledger'][]): Status['ledger'] {
  const sum = (read: (one: Status['ledger']) => number) => all.reduce((total, one) => total + read(one), 0)
  const flushes = all.flatMap(({ last_flush_at }) => last_flush_at ?? []).sort()
  return {
    waiting: sum((one) => one.waiting),
    lag_seconds: Math.max(0, ...all.map((one) => one.lag_seconds)),
    journal_bytes: sum((one) => one.journal_bytes),
    journal_failing: all.some((one) => one.journal_failing),
    quarantined: sum((one) => one.quarantined),
    last_flush_at: flushes[0] ?? null,
  }
}

function databaseBody(database: DatabaseStatus): Status['database'] {
  const unknown = { server_version: null, latency_ms: null, connections: null, cache_version: null }
  if (database.kind === 'none') return { status: 'none', error: null, ...unknown }
  if (database.kind === 'away') return { status: 'away', error: database.reason, ...unknown }
  return {
    status: 'ok',
    error: null,
    server_version: database.serverVersion,
    latency_ms: rounded(database.latencyMs),
    connections: database.connections,
    cache_version: database.cacheVersion,
  }
}

function listEndpoints({ endpoints }: Snapshot, { findCondition }: StatusFacts): Status['endpoints'] {
  return [...endpoints.values()].map((endpoint) => {
    const { status, reason, checkedAtMs, stats } = findCondition(endpoint.id)
    return {
      id: endpoint.id,
      name: endpoint.name,
      region: endpoint.region,
      enabled: endpoint.enabled,
      is_default: endpoint.isDefault,
      health_status: status,
      health_reason: reason,
      last_checked_at: toTime(checkedAtMs),
      requests_1h: stats.requests,
      errors_1h: stats.errors,
    }
  })
}

function loopBody(loop: LoopState): Status['loops'][number] {
  return {
    name: loop.name,
    interval_seconds: loop.intervalMs / 1_000,
    running: loop.isRunning,
    last_run_at: toTime(loop.lastStartAtMs),
    last_success_at: toTime(loop.lastSuccessAtMs),
    last_error_at: toTime(loop.lastErrorAtMs),
    last_error: loop.lastError,
    lag_seconds: rounded(loop.lagMs / 1_000),
  }
}

/** Those that were called without a price, then those that could be. */
function listUnpriced(snapshot: Snapshot, called: readonly UnpricedModel[]): Status['unpriced_models'] {
  const { mappings } = snapshot
  const shown = (model: string, requests: number, lastAt: string | null) => {
    // Clients may also name a hosted model itself.
    const hostedModelId = findHostedModel(snapshot, mappings.get(model)?.hostedModelId ?? model)
    const hasPrice = isPriced(snapshot, hostedModelId)
    return { model, hosted_model_id: hostedModelId ?? null, requests, last_at: lastAt, has_price: hasPrice }
  }
  const seen = new Set(called.map(({ model }) => model))
  const callable = [...mappings.values()]
    .filter(({ vendorPrefix }) => !seen.has(vendorPrefix))
    .map(({ vendorPrefix }) => shown(vendorPrefix, 0, null))
  return [
    ...called.map(({ model, requests, lastAt }) => shown(model, requests, lastAt)),
    ...callable.filter(({ has_price: hasPrice }) => !hasPrice),
  ]
}

/** In every scope that it may be called in; GovCloud takes the geo price when it has none. */
function isPriced({ prices }: Snapshot, modelId: string | undefined): boolean {
  return (['geo', 'global'] as const).every((scope) => findPriceIn(prices, scope, modelId) !== undefined)
}

function findHostedModel(snapshot: Snapshot, id: string): string | undefined {
  return findFoundationModelId(id) ?? findModelBehind(id, snapshot)
}

/** An application profile does not name its model; the endpoint that has it does. */
function findModelBehind(arn: string, { endpoints, mappings }: Snapshot): string | undefined {
  for (const { aipOverrides } of endpoints.values()) {
    const named = aipOverrides.find(({ aipArn }) => aipArn === arn)?.modelId
    if (named !== undefined) return findFoundationModelId(mappings.get(named)?.hostedModelId ?? named)
  }
  return undefined
}

function toTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
