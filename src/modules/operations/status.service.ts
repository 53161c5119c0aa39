/** What this instance tells about itself, to the database every few seconds and to administrators on demand. */

import type { Database } from '../../foundation/database/database.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import { DatabaseUnavailableError } from '../../foundation/database/store-errors.ts'
import { answerWithin } from '../../foundation/domain/budget-answer.ts'
import { type InstanceReport, SILENT_AFTER_SECONDS } from '../../foundation/domain/instance-report.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { LoopStatus } from '../../foundation/platform/loops.ts'
import { readVersions } from '../../foundation/snapshot/snapshot-reader.store.ts'
import type { EndpointMemory } from '../endpoints/module.ts'
import type { Spend } from '../spend/module.ts'
import { createSpendHours } from '../spend/spend-hours.store.ts'
import { countSetAside } from '../spend/usage/usage-rollup.store.ts'
import { createInstanceReports, type HeardInstance } from './instance-reports.store.ts'
import type { DatabaseStatus, StatusFacts } from './status-ports.ts'

export interface InstanceStatusParts {
  readonly instanceId: string
  readonly version: string
  readonly startedAt: string
  readonly link: DatabaseLink
  readonly snapshot: () => Snapshot
  readonly spendStatus: Spend['status']
  readonly inFlight: () => number
  readonly loopStates: () => readonly LoopStatus[]
  readonly findCondition: StatusFacts['findCondition']
  readonly pricesRefreshedAtMs: StatusFacts['pricesRefreshedAtMs']
  readonly recentLog: StatusFacts['recentLog']
  readonly endpointStats: Pick<EndpointMemory['stats'], 'ownHours' | 'hearOthers'>
}

export interface InstanceStatus {
  readonly facts: StatusFacts
  readonly report: () => Promise<void>
  /** This instance ends in order: nobody has to wonder where it is. */
  readonly withdraw: () => Promise<void>
}

const ANSWER_MS = 2_000
const WITHDRAW_MS = 1_000
const UNPRICED_DAYS_MS = 30 * 86_400_000
const SHOWN_CHARACTERS = 300

export function createInstanceStatus(parts: InstanceStatusParts): InstanceStatus {
  const { link, instanceId, endpointStats } = parts
  const ownReport = (): InstanceReport => {
    const { waiting, oldestSeconds, journalBytes, journalFailing, rejected, lastFlushAtMs } = parts.spendStatus()
    return {
      instanceId,
      version: parts.version,
      startedAt: parts.startedAt,
      cacheVersion: findVersion(parts.snapshot().versions),
      inFlight: parts.inFlight(),
      ledger: {
        waiting,
        lagSeconds: oldestSeconds,
        journalBytes,
        journalFailing,
        quarantined: rejected,
        lastFlushAt: lastFlushAtMs === null ? null : new Date(lastFlushAtMs).toISOString(),
      },
      endpoints: endpointStats.ownHours(),
    }
  }
  const isOtherAndAlive = (one: HeardInstance): boolean =>
    one.instanceId !== instanceId && one.silentSeconds <= SILENT_AFTER_SECONDS
  return {
    facts: {
      ownReport,
      findCondition: parts.findCondition,
      pricesRefreshedAtMs: parts.pricesRefreshedAtMs,
      recentLog: parts.recentLog,
      loops: () => parts.loopStates().map((loop) => ({ ...loop, lastError: describeError(loop.lastError) })),
      askDatabase: async () => {
        if (!link.isConfigured) return { kind: 'none' }
        const database = link.find()
        if (database === undefined) return { kind: 'away', reason: 'It has not been reached since the start.' }
        try {
          return await answerWithin(ANSWER_MS, readDatabase(database))
        } catch {
          // failure-modes: status without the database. The page shows what this instance knows by itself.
          return { kind: 'away', reason: 'It does not answer.' }
        }
      },
    },
    report: async () => {
      const database = link.find()
      if (database === undefined) return
      const reports = createInstanceReports(database.kysely)
      await reports.put(ownReport())
      await reports.forgetOld()
      endpointStats.hearOthers((await reports.list()).filter(isOtherAndAlive).map(({ endpoints }) => endpoints))
    },
    withdraw: async () => {
      const database = link.find()
      if (database === undefined) return
      // failure-modes: status without the database. The report then ages until it is forgotten.
      await answerWithin(WITHDRAW_MS, createInstanceReports(database.kysely).remove(instanceId)).catch(() => undefined)
    },
  }
}

async function readDatabase(database: Database): Promise<DatabaseStatus> {
  const startedMs = performance.now()
  const versions = await readVersions(database)
  const latencyMs = performance.now() - startedMs
  const { totalCount, idleCount, waitingCount } = database.pool
  return {
    kind: 'ok',
    serverVersion: database.serverVersion,
    latencyMs,
    connections: { open: totalCount, idle: idleCount, waiting: waitingCount },
    cacheVersion: findVersion(versions),
    instances: await createInstanceReports(database.hot).list(),
    setAside: await countSetAside(database.hot),
    unpriced: await createSpendHours(database.hot).unpricedSince(Date.now() - UNPRICED_DAYS_MS),
  }
}

/** One number for all sections: each only ever grows, so equal sums mean equal versions. */
function findVersion(versions: Snapshot['versions']): number {
  return Object.values(versions).reduce((sum, version) => sum + version, 0)
}

/** Errors of the database name hosts and users; those of our own are written to be read. */
function describeError(error: unknown): string | null {
  if (error === null) return null
  if (error instanceof DatabaseUnavailableError) return 'The database does not answer.'
  const message = error instanceof Error ? error.message : 'unknown'
  return message.split('\n', 1)[0]?.slice(0, SHOWN_CHARACTERS) ?? ''
}
