/** Brings to the database what dead processes left in their journals. */
import { rm } from 'node:fs/promises'
import type { OpenCall } from '../../../foundation/domain/open-call.ts'
import type { SpendRecord } from '../../../foundation/domain/spend-record.ts'
import { readSegment, segmentsIn } from './journal.ts'
import { findQuarantine } from './journal-directory.ts'
import type { JournalEntry } from './journal-entry.ts'
import { readQuarantine } from './quarantine.ts'

export type WriteRecords = (records: readonly SpendRecord[]) => Promise<void>

export interface Replay {
  /** Every abandoned directory that was handed over; each is removed when the database has all of it. */
  readonly writeAbandoned: (write: WriteRecords) => Promise<void>
  readonly adopt: (directories: readonly string[]) => void
  readonly abandoned: () => number
}

export interface ReplayOptions {
  readonly isStored: (requestId: string, round: number) => Promise<boolean>
  /** What a call must have cost whose process died before its end. */
  readonly recover: (call: OpenCall) => SpendRecord
  readonly onReplayed: (what: { directory: string; records: number; unfinished: number; damagedBytes: number }) => void
}

interface Group {
  readonly directory: string
  /** Files that are done; they are not read again when the database goes away in the middle. */
  readonly done: Set<string>
  readonly open: Map<string, OpenCall>
  records: number
  damagedBytes: number
}

const BATCH_RECORDS = 500

export function createReplay(options: ReplayOptions): Replay {
  const groups: Group[] = []

  const writeGroup = async (group: Group, write: WriteRecords): Promise<void> => {
    for (const file of await segmentsIn(group.directory)) {
      if (group.done.has(file)) continue
      const { entries, damagedBytes } = await readSegment(file)
      await writeRecords(recordsIn(entries), write)
      followCalls(entries, group.open)
      group.done.add(file)
      group.damagedBytes += damagedBytes
      group.records += recordsIn(entries).length
    }
    const quarantine = findQuarantine(group.directory)
    if (!group.done.has(quarantine)) await writeQuarantined(group, quarantine, write)
    group.done.add(quarantine)
    const unfinished: SpendRecord[] = []
    // The file with the end of a call may have gone before the one with its beginning; the database remembers.
    for (const call of group.open.values())
      if (!(await options.isStored(call.requestId, call.round))) unfinished.push(options.recover(call))
    await writeRecords(unfinished, write)
    // First what nobody would find without the directory.
    await rm(quarantine, { force: true })
    await rm(group.directory, { recursive: true, force: true })
    const { directory, records, damagedBytes } = group
    options.onReplayed({ directory, records, unfinished: unfinished.length, damagedBytes })
  }

  return {
    writeAbandoned: async (write) => {
      for (let group = groups[0]; group !== undefined; group = groups[0]) {
        await writeGroup(group, write)
        groups.shift()
      }
    },
    adopt: (directories) => {
      for (const directory of directories)
        groups.push({ directory, done: new Set(), open: new Map(), records: 0, damagedBytes: 0 })
    },
    abandoned: () => groups.length,
  }
}

/** What is refused again goes into the quarantine of this process; it is no call without an end. */
async function writeQuarantined(group: Group, file: string, write: WriteRecords): Promise<void> {
  let batch: SpendRecord[] = []
  const writeOut = async (): Promise<void> => {
    if (batch.length > 0) await write(batch)
    group.records += batch.length
    batch = []
  }
  for await (const line of readQuarantine(file)) {
    if (line.kind === 'damaged') {
      group.damagedBytes += line.bytes
      continue
    }
    group.open.delete(`${line.record.requestId} ${line.record.round}`)
    batch.push(line.record)
    if (batch.length === BATCH_RECORDS) await writeOut()
  }
  await writeOut()
}

function recordsIn(entries: readonly JournalEntry[]): readonly SpendRecord[] {
  return entries.flatMap((entry) => (entry.kind === 'record' ? [entry.record] : []))
}

async function writeRecords(records: readonly SpendRecord[], write: WriteRecords): Promise<void> {
  for (let start = 0; start < records.length; start += BATCH_RECORDS)
    await write(records.slice(start, start + BATCH_RECORDS))
}

/** Calls that were begun and neither recorded nor refused. */
function followCalls(entries: readonly JournalEntry[], open: Map<string, OpenCall>): void {
  for (const entry of entries) {
    if (entry.kind === 'open') open.set(`${entry.call.requestId} ${entry.call.round}`, entry.call)
    else if (entry.kind === 'closed') open.delete(`${entry.requestId} ${entry.round}`)
    else open.delete(`${entry.record.requestId} ${entry.record.round}`)
  }
}
