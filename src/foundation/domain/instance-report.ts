/** What one running instance says about itself, for whoever looks after all of them. */
export interface InstanceReport {
  readonly instanceId: string
  readonly version: string
  readonly startedAt: string
  /** Grows with every change of what instances keep in memory; equal on two instances that agree. */
  readonly cacheVersion: number
  /** Calls being served. */
  readonly inFlight: number
  readonly ledger: LedgerReport
  /** By the id of the endpoint. */
  readonly endpoints: EndpointHours
}

/** Three reports missed. */
export const SILENT_AFTER_SECONDS = 15

export type EndpointHours = Readonly<Record<string, EndpointHour>>

/** What one instance saw of an endpoint within the last hour, in a form that adds up with what others saw. */
export interface EndpointHour {
  readonly requests: number
  readonly errors: number
  readonly throttles: number
  readonly failovers: number
  readonly durations: HistogramCounts
  readonly firstTokens: HistogramCounts
}

/** Without the bins that nothing fell into. */
export type HistogramCounts = readonly (readonly [bin: number, count: number])[]

export interface LedgerReport {
  /** Records that the database has not confirmed. */
  readonly waiting: number
  /** Age of the oldest of them. */
  readonly lagSeconds: number
  readonly journalBytes: number
  readonly journalFailing: boolean
  /** Records that the database refuses in every form, put aside since the start. */
  readonly quarantined: number
  /** Null before the first. */
  readonly lastFlushAt: string | null
}
