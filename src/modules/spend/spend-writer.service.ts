/** Joins the ledger with its journal, the database and the metrics, and runs the life of the journal's directory. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../foundation/database/database.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import { createSecretStore } from '../../foundation/database/secrets.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { newId } from '../../foundation/platform/ids.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import { createTrouble } from '../../foundation/platform/trouble.ts'
import type { NoteKeyUse } from '../keys/key-ports.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import {
  adoptAbandoned,
  BEAT_MS,
  claimDirectory,
  findQuarantine,
  type OwnDirectory,
} from './journal/journal-directory.ts'
import { createReplay } from './journal/journal-replay.ts'
import { putIntoQuarantine } from './journal/quarantine.ts'
import { createLedger, type WritingLedger } from './ledger.memory.ts'
import { recoveredRecord } from './recovered-call.ts'
import { createSpendLog } from './spend-log.store.ts'

export interface SpendWriterParts {
  readonly journalDirectory: string
  readonly link: DatabaseLink
  readonly snapshot: () => Snapshot
  readonly log: Logger
  readonly instruments: Instruments<InstrumentName>
  /** Budgets follow what is stored. */
  readonly whileStoring: <R>(records: readonly SpendRecord[], store: () => Promise<R>) => Promise<R>
  readonly onReadBack: (record: SpendRecord) => void
  readonly noteKeyUse: NoteKeyUse
  /** For those who watch. */
  readonly onStored: (records: readonly SpendRecord[]) => void
}

export interface SpendStatus {
  readonly waiting: number
  readonly oldestSeconds: number
  readonly journalBytes: number
  readonly journalFailing: boolean
  readonly rejected: number
  /** Wall-clock time of the last flush that left nothing behind; null before the first. */
  readonly lastFlushAtMs: number | null
}

export interface SpendWriter {
  /** For everything that makes hosted calls and records. */
  readonly ledger: Pick<WritingLedger, 'open' | 'close' | 'append'>
  readonly status: () => SpendStatus
  readonly flush: () => Promise<void>
  /** Once the database is known: from now on records go to the disk first. */
  readonly start: (database: Database) => Promise<void>
  /** Writes what can be written; the rest stays in the journal. */
  readonly close: () => Promise<void>
}

/** At most so much output is not charged when the process is killed while a stream runs. */
const PROGRESS_MS = 1_000

/** How long the end waits for a database that takes nothing, while the journal has it all. */
const STUCK_MS = 3_000

export function createSpendWriter(parts: SpendWriterParts): SpendWriter {
  const { link, log } = parts
  if (!link.isConfigured) return createNoSpend()
  const root = path.resolve(parts.journalDirectory)
  let journal: Journal | undefined
  let directory: OwnDirectory | undefined
  let opening = false
  let isReplaced = false
  let ledgerId: string | undefined
  let rejected = 0
  let lastFlushAtMs: number | null = null
  let beating: NodeJS.Timeout | undefined
  let noting: NodeJS.Timeout | undefined

  const onRejected = async (records: readonly SpendRecord[]): Promise<void> => {
    rejected += records.length
    const texts = records.map((record) => JSON.stringify(record))
    // Without a directory of its own nobody knows of which database they are: that file is for a person alone.
    const file = directory === undefined ? path.join(root, 'quarantine.jsonl') : findQuarantine(directory.path)
    try {
      await putIntoQuarantine(file, texts)
      log.error({ records: records.length, file }, 'spend records that the database refuses were put into quarantine')
    } catch (error) {
      // failure-modes: spend record rejected. The log line is the last place that can keep them.
      log.error({ err: error, records: texts }, 'spend records could be stored nowhere but in this line')
    }
  }
  const tellChanged = createChangeNotice(log)
  const refused = createTrouble()
  const spendLog = () => createSpendLog(link.require().kysely)
  const replay = createReplay({
    isStored: async (requestId, round) => (await spendLog().find(requestId)).some((row) => row.round === round),
    recover: (call) => recoveredRecord(call, parts.snapshot()),
    onReplayed: ({ directory: _where, ...what }) => log.info(what, 'spend of an earlier process was written'),
  })
  const ledger = createLedger({
    journal: () => journal,
    replay,
    onReadBack: parts.onReadBack,
    write: async (records) => {
      const { rejected, sanitised } = await parts.whileStoring(records, () => spendLog().appendBatch(records))
      tellChanged(sanitised)
      parts.onStored(records)
      await parts.noteKeyUse(records)
      return rejected
    },
    onError: (error, waiting) =>
      refused.met(() => log.error({ err: error, waiting }, 'spend records could not be written yet')),
    onRejected,
  })

  /** Somebody has removed the directory: what is written to the files that are still open, nobody will ever find. */
  const letGoOfRemoved = async (): Promise<void> => {
    try {
      await directory?.beat()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // failure-modes: journal removed
      log.error({ err: error, directory: root }, 'the spend journal was removed; another is begun')
      const removed = journal
      directory = undefined
      journal = undefined
      isReplaced = true
      await removed?.close()
    }
  }

  const ensureJournal = async (database: string): Promise<OwnDirectory> => {
    await letGoOfRemoved()
    directory ??= await claimDirectory(root, database)
    journal ??= openJournal({
      directory: directory.path,
      onFailure: (error) => log.error({ err: error, directory: root }, 'the spend journal cannot be written'),
      onRecovery: () => log.info('the spend journal can be written again'),
    })
    if (isReplaced) {
      isReplaced = false
      const records = ledger.journalReplaced()
      if (records > 0) log.error({ records }, 'spend records are nowhere but in the journal that was removed')
    }
    return directory
  }

  /** Tried again with every beat: a disk that was full at the start may have room later. */
  const open = async (database: string, adopts: boolean): Promise<void> => {
    if (opening) return
    opening = true
    try {
      const own = await ensureJournal(database)
      if (adopts) replay.adopt(await adoptAbandoned(root, own.path, database))
    } catch (error) {
      // failure-modes: journal not writable. Records are safe once the database has them; calls go on.
      log.error({ err: error, directory: root }, 'the spend journal cannot be used')
    } finally {
      opening = false
    }
  }

  const isKept = (): boolean => journal !== undefined && !journal.isFailing()

  /** Goes on as long as the database takes records; without a journal, as long as there is hope. */
  const flushAtEnd = async (): Promise<void> => {
    const flushing = ledger.flush()
    for (;;) {
      const before = ledger.waiting()
      const isDone = flushing.then(() => true)
      if (await Promise.race([isDone, sleep(STUCK_MS, false, { ref: false })])) return
      if (isKept() && ledger.waiting() >= before) throw new Error('the database takes no records')
    }
  }

  const status = (): SpendStatus => ({
    waiting: ledger.waiting(),
    oldestSeconds: ledger.oldestAgeMs() / 1000,
    journalBytes: journal?.bytes() ?? 0,
    journalFailing: journal === undefined || journal.isFailing(),
    rejected,
    lastFlushAtMs,
  })
  observe(parts.instruments, status)

  return {
    ledger,
    status,
    flush: async () => {
      await ledger.flush()
      refused.over()
      lastFlushAtMs = Date.now()
    },
    start: async (database) => {
      const id = await createSecretStore(database.kysely).getOrCreate('ledger-id', () => Buffer.from(newId()))
      ledgerId = id.toString()
      await open(ledgerId, true)
      beating = setInterval(() => void open(id.toString(), true), BEAT_MS).unref()
      noting = setInterval(ledger.noteProgress, PROGRESS_MS).unref()
    },
    close: async () => {
      clearInterval(beating)
      clearInterval(noting)
      // What the database does not take stays in files that are really there.
      if (ledgerId !== undefined) await open(ledgerId, false)
      await flushAtEnd().catch((error: unknown) => {
        log.error({ err: error, waiting: ledger.waiting() }, isKept() ? 'spend stays in the journal' : 'spend was lost')
      })
      await journal?.close()
      // failure-modes: journal not writable. The next start sees by itself that this process is gone.
      await directory?.release().catch((error: unknown) => log.warn({ err: error }, 'the spend journal was not let go'))
    },
  }
}

const QUIET_MS = 60_000

/** Clients choose names of models and tools, so what cannot be stored as it came may come with every call. */
function createChangeNotice(log: Logger): (records: number) => void {
  let untold = 0
  let toldMs = Number.NEGATIVE_INFINITY
  return (records) => {
    untold += records
    if (untold === 0 || performance.now() - toldMs < QUIET_MS) return
    log.warn({ records: untold }, 'spend records were stored, but not as they came: a text or a count was not storable')
    untold = 0
    toldMs = performance.now()
  }
}

/** Without a database nothing is counted, so nothing is kept. */
function createNoSpend(): SpendWriter {
  return {
    ledger: { append: () => Promise.resolve(), open: (_call, begin) => begin(), close: () => undefined },
    status: () => ({
      waiting: 0,
      oldestSeconds: 0,
      journalBytes: 0,
      journalFailing: false,
      rejected: 0,
      lastFlushAtMs: null,
    }),
    flush: () => Promise.resolve(),
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

function observe(instruments: Instruments<InstrumentName>, status: () => SpendStatus): void {
  instruments.observe('gateway_spend_waiting', (show) => show(status().waiting))
  instruments.observe('gateway_spend_oldest_seconds', (show) => show(status().oldestSeconds))
  instruments.observe('gateway_spend_journal_bytes', (show) => show(status().journalBytes))
  instruments.observe('gateway_spend_journal_failing', (show) => show(Number(status().journalFailing)))
  instruments.observe('gateway_spend_rejected', (show) => show(status().rejected))
}
