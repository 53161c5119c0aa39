/** Spend records on their way to the database: safe in the journal first, written in batches, kept until confirmed. */
import { performance } from 'node:perf_hooks'
import type { AnswerProgress } from '../../foundation/domain/build-spend-record.ts'
import type { OpenCall } from '../../foundation/domain/open-call.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { promptTokens } from '../../foundation/domain/usage.ts'
import type { Ledger, OpenCallNotes } from '../../message-path/ports.ts'
import { type Journal, type Note, readSegment, type Segment } from './journal/journal.ts'
import type { JournalEntry } from './journal/journal-entry.ts'
import type { Replay } from './journal/journal-replay.ts'

export interface LedgerOptions {
  /** Stores a batch; doing it twice changes nothing. Returns what the database refuses in every form. */
  readonly write: (records: readonly SpendRecord[]) => Promise<readonly SpendRecord[]>
  readonly onError: (error: unknown, waiting: number) => void
  /** Records that are stored nowhere but here. */
  readonly onRejected: (records: readonly SpendRecord[]) => Promise<void>
  /** Undefined while the directory cannot be used: records are then safe only once the database has them. */
  readonly journal: () => Journal | undefined
  /** Brings what the dead have left. */
  readonly replay: Replay
  /** A record that only a file had is in memory again. */
  readonly onReadBack: (record: SpendRecord) => void
  readonly maxInMemory?: number
}

export interface WritingLedger extends Ledger, OpenCallNotes {
  /**
   * Writes down how far the open streams are, all in one write. Called once a second, not for each event: if the process is
   * killed, the output of the last second is not charged.
   */
  readonly noteProgress: () => void
  readonly waiting: () => number
  readonly oldestAgeMs: () => number
  /** Writes everything gathered so far; throws when the database does not take it. */
  readonly flush: () => Promise<void>
  /**
   * The files of the journal are gone, and it is another one now. What memory has is written down again; returns how many
   * records only those files had.
   */
  readonly journalReplaced: () => number
}

/** Small enough to answer quickly, large enough that a busy second is a handful of statements. */
const BATCH_RECORDS = 500
/** About 15 MB. While the database is away, more than this is only on the disk. */
const MAX_IN_MEMORY = 10_000
/** Without a journal memory is all there is, so its limit is wider; 10 minutes at 50 a second fit three times. */
const MAX_WITHOUT_JOURNAL = 100_000
/** How long an answer waits for the database when the journal cannot be written. */
const DATABASE_WAIT_MS = 2_000

type ReadProgress = () => AnswerProgress

interface OpenedCall {
  readonly call: OpenCall
  readonly readProgress: ReadProgress | undefined
  /** The newest note that is written. */
  note: Note
  /** Counts of the newest progress that was noted; they only grow. */
  noted: number
}

interface Waiting {
  readonly record: SpendRecord
  readonly arrivedMs: number
  /** Undefined when only memory has it. */
  segment: Segment | undefined
  readonly confirmed: (() => void) | undefined
  isStored: boolean
}

export function createLedger(options: LedgerOptions): WritingLedger {
  const { replay } = options
  const maxInMemory = options.maxInMemory ?? MAX_IN_MEMORY
  const openCalls = new Map<string, OpenedCall>()
  let waiting: Waiting[] = []
  /** Records that only files have, with the time of the first. */
  let spilled = 0
  let spilledSinceMs = 0
  let databaseAway = false
  let flushing: Promise<void> = Promise.resolve()
  /** Waits for the one that runs; whoever comes meanwhile joins it. */
  let nextFlush: Promise<void> | undefined
  let wantsFlush = false

  const release = (key: string): void => {
    const opened = openCalls.get(key)
    if (opened === undefined) return
    openCalls.delete(key)
    if (opened.note.segment !== undefined) options.journal()?.release(opened.note.segment)
  }

  /** A newer note for an open call. It replaces the older one, whose file may then go. */
  const noteAgain = (journal: Journal, opened: OpenedCall, progress: AnswerProgress): void => {
    const { call } = opened
    const note: Note = { segment: undefined }
    journal.note(note, JSON.stringify({ kind: 'open', call: { ...call, progress } }), () => {
      if (note.segment === undefined) return
      const isOpen = openCalls.get(toKey(call.requestId, call.round)) === opened
      const unneeded = isOpen ? opened.note : note
      if (isOpen) opened.note = note
      if (unneeded.segment !== undefined) journal.release(unneeded.segment)
    })
  }

  const spill = (segment: Segment): void => {
    segment.spilled += 1
    options.journal()?.release(segment)
    if (spilled++ === 0) spilledSinceMs = performance.now()
  }

  const keepInMemory = (record: SpendRecord): Promise<void> => {
    if (waiting.length >= MAX_WITHOUT_JOURNAL) return options.onRejected([record])
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.push(waitingFor(record, performance.now(), undefined, resolve))
    // Both places are away: the answer is given all the same, as the metric and the log say loudly.
    if (databaseAway) return Promise.resolve()
    if (!wantsFlush) {
      wantsFlush = true
      setImmediate(() => {
        wantsFlush = false
        flush().catch(() => undefined)
      })
    }
    const timer = setTimeout(resolve, DATABASE_WAIT_MS)
    return promise.finally(() => clearTimeout(timer))
  }

  const append = (record: SpendRecord): Promise<void> => {
    const journal = options.journal()
    if (journal === undefined) return keepInMemory(record)
    // The file alone has it: memory must not grow with the length of an outage.
    const isSpilled = waiting.length < maxInMemory ? undefined : true
    return new Promise((resolve) => {
      journal.append(JSON.stringify({ kind: 'record', record, spilled: isSpilled }), (segment) => {
        if (segment !== undefined) {
          if (isSpilled) spill(segment)
          else waiting.push(waitingFor(record, performance.now(), segment))
          release(toKey(record.requestId, record.round))
          resolve()
          return
        }
        // failure-modes: journal not writable. Memory and the database remain; the journal itself has raised the alarm.
        resolve(keepInMemory(record).then(() => release(toKey(record.requestId, record.round))))
      })
    })
  }

  const writeBatch = async (records: readonly SpendRecord[]): Promise<void> => {
    try {
      const rejected = await options.write(records)
      databaseAway = false
      if (rejected.length > 0) await options.onRejected(rejected)
    } catch (error) {
      databaseAway = true
      // failure-modes: spend not written. The records stay and are tried again; calls go on.
      options.onError(error, waiting.length + spilled)
      throw error
    }
  }

  /** One file into memory, from where its records go as all others: each is in one of the two, whatever fails. */
  const readBack = async (): Promise<boolean> => {
    const journal = options.journal()
    const segment = journal?.takeSpilled()
    if (journal === undefined || segment === undefined) return false
    const { entries } = await readSegment(segment.path)
    // Behind them may lie what a failed write has left, which memory has.
    const found = spilledIn(entries).slice(0, segment.spilled)
    // Another journal may have taken its place meanwhile, which nothing was left to.
    if (options.journal() === journal) spilled -= segment.spilled
    journal.recallSpilled(segment, found.length)
    for (const record of found) options.onReadBack(record)
    const older = found.map((record) => waitingFor(record, spilledSinceMs, segment))
    waiting = [...older, ...waiting]
    return true
  }

  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_RECORDS)
      await writeBatch(batch.map(({ record }) => record))
      waiting = waiting.slice(batch.length)
      for (const entry of batch) {
        entry.isStored = true
        if (entry.segment !== undefined) options.journal()?.release(entry.segment)
        entry.confirmed?.()
      }
    }
  }

  const writeAll = async (): Promise<void> => {
    do await writeWaiting()
    while (await readBack())
    await replay.writeAbandoned(writeBatch)
  }

  const flush = (): Promise<void> => {
    nextFlush ??= flushing
      .catch(() => undefined)
      .then(() => {
        nextFlush = undefined
        return writeAll()
      })
    flushing = nextFlush
    return flushing
  }

  return {
    append,
    open: (call, begin, readProgress) => {
      const journal = options.journal()
      if (journal === undefined) {
        begin()
        return
      }
      const key = toKey(call.requestId, call.round)
      // A second try of the same call: the later note stands for it.
      const earlier = openCalls.get(key)
      const note: Note = { segment: undefined }
      openCalls.set(key, { call, readProgress, note, noted: 0 })
      journal.note(note, JSON.stringify({ kind: 'open', call }), () => {
        // The disk did not take it, so the earlier one stands.
        if (note.segment === undefined && earlier !== undefined) openCalls.set(key, earlier)
        else if (earlier?.note.segment !== undefined) journal.release(earlier.note.segment)
        begin()
      })
    },
    noteProgress: () => {
      const journal = options.journal()
      if (journal === undefined) return
      for (const opened of openCalls.values()) {
        const progress = opened.readProgress?.()
        if (progress === undefined) continue
        const { usage, outputCharacters } = progress
        const reached = promptTokens(usage) + usage.outputTokens + outputCharacters
        if (reached <= opened.noted) continue
        opened.noted = reached
        noteAgain(journal, opened, { usage, outputCharacters })
      }
    },
    close: (requestId, round) => {
      const key = toKey(requestId, round)
      const opened = openCalls.get(key)
      if (opened === undefined) return
      // At once: a further try of the call has a note of its own.
      openCalls.delete(key)
      const journal = options.journal()
      const closed: Note = { segment: undefined }
      journal?.note(closed, JSON.stringify({ kind: 'closed', requestId, round }), () => {
        // Nothing waits for the note itself: when its file goes, the note of the opening has gone before.
        if (closed.segment !== undefined) journal.release(closed.segment)
        if (opened.note.segment !== undefined) journal.release(opened.note.segment)
      })
    },
    waiting: () => waiting.length + spilled,
    oldestAgeMs: () => {
      const oldest = Math.min(
        waiting[0]?.arrivedMs ?? Number.POSITIVE_INFINITY,
        spilled > 0 ? spilledSinceMs : Infinity,
      )
      return Number.isFinite(oldest) ? performance.now() - oldest : 0
    },
    flush,
    journalReplaced: () => {
      const lost = spilled
      spilled = 0
      const journal = options.journal()
      for (const entry of waiting) {
        entry.segment = undefined
        journal?.append(JSON.stringify({ kind: 'record', record: entry.record }), (segment) => {
          if (!entry.isStored) entry.segment = segment
          else if (segment !== undefined) journal.release(segment)
        })
      }
      return lost
    },
  }
}

function waitingFor(
  record: SpendRecord,
  arrivedMs: number,
  segment: Segment | undefined,
  confirmed?: () => void,
): Waiting {
  return { record, arrivedMs, segment, confirmed, isStored: false }
}

function spilledIn(entries: readonly JournalEntry[]): readonly SpendRecord[] {
  return entries.flatMap((entry) => (entry.kind === 'record' && entry.spilled === true ? [entry.record] : []))
}

function toKey(requestId: string, round: number): string {
  return round === 0 ? requestId : `${requestId} ${round}`
}
