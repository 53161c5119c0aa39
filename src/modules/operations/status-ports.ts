/** What the status page asks the rest of the gateway. */
import type { InstanceReport } from '../../foundation/domain/instance-report.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { RepeatStatus } from '../../foundation/platform/every.ts'
import type { RecentLines } from '../../foundation/platform/recent-lines.ts'
import type { EndpointCondition } from '../endpoints/endpoint-ports.ts'

export interface StatusPorts extends Pick<RoutePorts, 'snapshot'> {
  readonly status: StatusFacts
}

/** None of it may fail: the page is looked at when something else has failed. */
export interface StatusFacts {
  readonly ownReport: () => InstanceReport
  /** Of this instance. */
  readonly loops: () => readonly LoopState[]
  readonly findCondition: (endpointId: string) => EndpointCondition
  /** By this instance; null when it has not since its start. */
  readonly pricesRefreshedAtMs: () => number | null
  /** Of this instance. */
  readonly recentLog: RecentLines['read']
  readonly askDatabase: () => Promise<DatabaseStatus>
}

export interface LoopState extends Omit<RepeatStatus, 'lastError'> {
  readonly name: string
  readonly intervalMs: number
  /** Fit to be shown. */
  readonly lastError: string | null
}

export type DatabaseStatus =
  /** The gateway was started without one. */
  | { readonly kind: 'none' }
  | { readonly kind: 'away'; readonly reason: string }
  | {
      readonly kind: 'ok'
      readonly serverVersion: string
      readonly latencyMs: number
      readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number }
      /** What every instance should have in memory by now. */
      readonly cacheVersion: number
      readonly instances: readonly HeardInstance[]
      /** Models whose calls were recorded without a price. */
      readonly unpriced: readonly UnpricedModel[]
      /** Stored records that no chart counts, and days that could not be put together. */
      readonly setAside: { readonly records: number; readonly periods: number }
    }

export interface HeardInstance extends InstanceReport {
  readonly seenAt: string
  readonly silentSeconds: number
}

export interface UnpricedModel {
  readonly model: string
  /** Calls of the last 30 days. */
  readonly requests: number
  readonly lastAt: string | null
}
