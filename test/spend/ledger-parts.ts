/** Ledgers over real files and a database that can be switched off, for tests of the journal. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { OpenCall } from '../../src/foundation/domain/open-call.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { type Journal, openJournal } from '../../src/modules/spend/journal/journal.ts'
import { createReplay } from '../../src/modules/spend/journal/journal-replay.ts'
import { createLedger, type LedgerOptions, type WritingLedger } from '../../src/modules/spend/ledger.memory.ts'
import { aSpendRecord } from '../database/samples.ts'

export async function makeFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-ledger-'))
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export interface FakeDatabase {
  isAway: boolean
  readonly stored: Map<string, SpendRecord>
  readonly write: LedgerOptions['write']
}

/** Takes a record once, as the real one does. */
export function createFakeDatabase(): FakeDatabase {
  const database: FakeDatabase = {
    isAway: false,
    stored: new Map(),
    write: async (records) => {
      if (database.isAway) throw new Error('the database is away')
      for (const record of records) {
        const key = `${record.requestId} ${record.round}`
        if (!database.stored.has(key)) database.stored.set(key, record)
      }
      return []
    },
  }
  return database
}

export interface Opened {
  readonly ledger: WritingLedger
  readonly journal: Journal
  readonly failures: unknown[]
  readonly recoveries: () => number
  readonly adopt: (directories: readonly string[]) => void
}

export function openLedger(
  directory: string,
  database: FakeDatabase,
  options: {
    readonly maxInMemory?: number
    readonly segmentBytes?: number
    readonly onReadBack?: LedgerOptions['onReadBack']
    readonly onRejected?: LedgerOptions['onRejected']
  } = {},
): Opened {
  const failures: unknown[] = []
  let recoveries = 0
  const journal = openJournal({
    directory,
    onFailure: (error) => void failures.push(error),
    onRecovery: () => {
      recoveries += 1
    },
    ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
  })
  const replay = createReplay({
    isStored: async (requestId, round) => database.stored.has(`${requestId} ${round}`),
    recover: (call) => recovered(call),
    onReplayed: () => undefined,
  })
  const ledger = createLedger({
    journal: () => journal,
    replay,
    onReadBack: options.onReadBack ?? (() => undefined),
    write: database.write,
    onError: () => undefined,
    onRejected: options.onRejected ?? (async () => undefined),
    ...(options.maxInMemory === undefined ? {} : { maxInMemory: options.maxInMemory }),
  })
  return { ledger, journal, failures, recoveries: () => recoveries, adopt: replay.adopt }
}

function recovered(call: OpenCall): SpendRecord {
  return aSpendRecord({
    requestId: call.requestId,
    round: call.round,
    atMs: call.atMs,
    flags: ['estimated', 'aborted'],
    costNanoUsd: 1,
  })
}

export function anOpenCall(values: Partial<OpenCall> = {}): OpenCall {
  const { requestId, atMs } = aSpendRecord()
  return {
    requestId,
    round: 0,
    atMs,
    keyId: null,
    userId: null,
    teamId: null,
    endpointId: '0190a000-0000-7000-8000-000000000001',
    hostedModel: 'us.anthropic.claude-sonnet-5',
    streaming: true,
    requestBytes: 700,
    ...values,
  }
}
