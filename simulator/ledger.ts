import type { Usage } from './answer/usage.ts'

/** One call as it was really served: the truth that a gateway's own records are compared with. */
export type LedgerEntry = {
  readonly n: number
  readonly at: string
  operation: string
  account: string | null
  accessKey: string | null
  roleArn?: string
  externalId?: string
  region: string | null
  modelId: string | null
  foundationModelId: string | null
  readonly requestId: string
  status: number
  errorType: string | null
  streaming: boolean
  /** What the whole answer amounts to, even when the connection broke before it was sent. */
  usage: Usage | null
  /** The counts that had gone out on the wire when the call ended; null when none had. */
  usageSent: Usage | null
  completed: boolean
  betas: readonly string[]
  bodySha256: string
  /** `metadata.user_id` of the request: lets a test follow one call through a gateway. Null in unchecked requests. */
  userId: string | null
  aborted: boolean
  eventsSent: number
  /** null while the call is still open. */
  durationMs: number | null
}

export type Ledger = {
  open(start: Pick<LedgerEntry, 'operation' | 'requestId' | 'bodySha256'>): LedgerEntry
  list(afterN: number): readonly LedgerEntry[]
  clear(): void
}

export function createLedger(): Ledger {
  let entries: LedgerEntry[] = []
  // Never restarted, not even when the ledger is cleared: fingerprint counts must stay unique for the life of the process.
  let calls = 0
  return {
    open(start) {
      calls += 1
      const entry: LedgerEntry = {
        n: calls,
        at: new Date().toISOString(),
        account: null,
        accessKey: null,
        region: null,
        modelId: null,
        foundationModelId: null,
        status: 0,
        errorType: null,
        streaming: false,
        usage: null,
        usageSent: null,
        completed: false,
        betas: [],
        userId: null,
        aborted: false,
        eventsSent: 0,
        durationMs: null,
        ...start,
      }
      entries.push(entry)
      return entry
    },
    list: (afterN) => (afterN > 0 ? entries.filter((entry) => entry.n > afterN) : entries),
    clear() {
      entries = []
    },
  }
}
