/** The local journal: records written in groups, each group one synced write; files go when nothing needs them. */
import * as fs from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { type DecodedEntries, decodeEntries, encodeEntries } from './journal-entry.ts'
import { createSegmentFiles, type SegmentFile } from './journal-files.ts'

/** One file of the journal. */
export interface Segment {
  readonly path: string
  bytes: number
  /** Entries that would be missed if the file went now. */
  needed: number
  /** Records that memory had no room for: only the file knows them. */
  spilled: number
  finished: boolean
}

/** The segment is undefined until the note is written, and for good when the disk did not take it. */
export interface Note {
  segment: Segment | undefined
}

export interface Journal {
  /** `done` gets the segment when the text is on the disk, and undefined when the disk did not take it. */
  readonly append: (text: string, done: (segment: Segment | undefined) => void) => void
  /**
   * `written` is called when the operating system has the text, which may be at once: it survives the death of the
   * process, though not of the machine. It is called too when the disk does not take it.
   */
  readonly note: (note: Note, text: string, written: () => void) => void
  /** One thing less that the segment is needed for. */
  readonly release: (segment: Segment) => void
  /** The oldest segment with records that memory does not have; the one being written is ended first. */
  readonly takeSpilled: () => Segment | undefined
  /** So many records of it are in memory now, each of which is to be released. */
  readonly recallSpilled: (segment: Segment, records: number) => void
  readonly bytes: () => number
  readonly isFailing: () => boolean
  readonly close: () => Promise<void>
}

export interface JournalOptions {
  readonly directory: string
  readonly onFailure: (error: unknown) => void
  readonly onRecovery: () => void
  readonly segmentBytes?: number
}

const SEGMENT_BYTES = 4 * 1024 * 1024
/** A disk that takes longer is as bad as none: answers wait for it. */
const SLOW_DISK_MS = 5_000
const RETRY_MS = 1_000

interface Group {
  readonly texts: string[]
  readonly done: ((segment: Segment | undefined) => void)[]
}

interface OpenSegment extends SegmentFile {
  readonly segment: Segment
  /** Groups on their way to the disk: the file is closed behind them, however long they take. */
  writes: number
}

export function openJournal(options: JournalOptions): Journal {
  const segmentBytes = options.segmentBytes ?? SEGMENT_BYTES
  const segments = new Set<Segment>()
  const removing = new Set<Promise<void>>()
  const files = createSegmentFiles(options.directory, segmentBytes)
  let current: OpenSegment | undefined
  let group: Group = { texts: [], done: [] }
  let isWriting = false
  /** The group that is being written goes there. */
  let target: Segment | undefined
  let whenIdle: (() => void) | undefined
  let noteTexts: string[] = []
  let notes: { readonly note: Note; readonly written: () => void }[] = []
  let notesOfTurn = 0
  /** The turn before had one note at most: the first of this one is probably the only one too. */
  let wasQuiet = true
  let turnIsDue = false
  let failing = false
  let nextTryMs = 0

  const dropIfDone = (segment: Segment): void => {
    if (!segment.finished || segment.needed > 0 || segment.spilled > 0 || !segments.delete(segment)) return
    // failure-modes: journal file not removed. It is replayed at the next start, which changes nothing.
    const removed = rm(segment.path, { force: true }).catch(options.onFailure)
    removing.add(removed)
    removed.finally(() => removing.delete(removed))
  }

  const openNext = (): OpenSegment => {
    const file = files.take()
    const segment = { path: file.path, bytes: 0, needed: 0, spilled: 0, finished: false }
    current = { ...file, segment, writes: 0 }
    segments.add(segment)
    return current
  }

  const closeIfUnused = (open: OpenSegment): void => {
    if (!open.segment.finished || open.writes > 0) return
    const closed = (error?: Error | null): void => {
      if (error) options.onFailure(error)
    }
    fs.close(open.plainFd, closed)
    fs.close(open.syncedFd, closed)
  }

  const finish = (open: OpenSegment): void => {
    if (open.segment.finished) return
    if (current === open) current = undefined
    open.segment.finished = true
    dropIfDone(open.segment)
    closeIfUnused(open)
  }

  const requireOpen = (bytes: number): OpenSegment => {
    if (failing) {
      if (performance.now() < nextTryMs) throw new Error('the journal is not writable')
      nextTryMs = performance.now() + RETRY_MS
    }
    const used = current?.segment.bytes ?? 0
    if (current !== undefined && used > 0 && used + bytes > segmentBytes) finish(current)
    if (used > segmentBytes / 2) files.prepareNext()
    return current ?? openNext()
  }

  const failed = (error: unknown, open: OpenSegment | undefined): void => {
    const isNews = !failing
    if (isNews) nextTryMs = performance.now() + RETRY_MS
    failing = true
    // The end of this file may be torn. The next try begins a new one.
    if (open !== undefined) finish(open)
    if (isNews) options.onFailure(error)
  }

  const succeeded = (): void => {
    if (!failing) return
    failing = false
    options.onRecovery()
  }

  const writeGroup = (): void => {
    const { texts, done } = group
    if (texts.length === 0) {
      whenIdle?.()
      return
    }
    group = { texts: [], done: [] }
    isWriting = true
    let open: OpenSegment | undefined
    const settle = (error: Error | null): void => {
      if (error === null) succeeded()
      else failed(error, open)
      for (const tell of done) tell(error === null ? open?.segment : undefined)
      if (error !== null && open !== undefined) {
        open.segment.needed -= done.length
        dropIfDone(open.segment)
      }
      isWriting = false
      target = undefined
      // Records that arrive in this same turn still join the next group.
      atEndOfTurn()
    }
    try {
      const bytes = encodeEntries(texts)
      open = requireOpen(bytes.length)
      target = open.segment
      // Counted before the write: a segment that is being written must not be removed.
      open.segment.needed += done.length
      writeSynced(open, bytes, settle, closeIfUnused)
    } catch (error) {
      settle(error as Error)
    }
  }

  const writeNotes = (): void => {
    const written = notes
    const texts = noteTexts
    notes = []
    noteTexts = []
    let open: OpenSegment | undefined
    try {
      const bytes = encodeEntries(texts)
      open = requireOpen(bytes.length)
      const at = placeIn(open.segment, bytes)
      if (fs.writeSync(open.plainFd, bytes, 0, bytes.length, at) !== bytes.length) throw new Error(CUT_SHORT)
      open.segment.needed += written.length
      for (const { note } of written) note.segment = open.segment
    } catch (error) {
      // failure-modes: journal not writable. The calls go on; only a crash during them would leave them unrecorded.
      failed(error, open)
    }
    for (const one of written) one.written()
  }

  /**
   * What arrives in one turn of the event loop shares its write; what arrives during a sync shares the next one. Where
   * calls are few nobody is waited for: their first byte would come later by the rest of the turn.
   */
  const endOfTurn = (): void => {
    turnIsDue = false
    wasQuiet = notesOfTurn <= 1
    notesOfTurn = 0
    if (notes.length > 0) writeNotes()
    if (!isWriting) writeGroup()
  }

  const atEndOfTurn = (): void => {
    if (turnIsDue) return
    turnIsDue = true
    setImmediate(endOfTurn)
  }

  return {
    append: (text, done) => {
      group.texts.push(text)
      group.done.push(done)
      if (!isWriting) atEndOfTurn()
    },
    note: (note, text, written) => {
      noteTexts.push(text)
      notes.push({ note, written })
      notesOfTurn += 1
      atEndOfTurn()
      if (wasQuiet && notesOfTurn === 1) writeNotes()
    },
    release: (segment) => {
      segment.needed -= 1
      dropIfDone(segment)
    },
    takeSpilled: () => {
      for (const segment of segments) {
        if (segment.spilled === 0) continue
        // Never while a group is on its way into it, though notes may have filled it since; the next call finds it again.
        if (segment === target) return undefined
        if (current?.segment !== segment) return segment
        if (isWriting || group.texts.length > 0) return undefined
        finish(current)
        return segment
      }
      return undefined
    },
    recallSpilled: (segment, records) => {
      segment.needed += records
      segment.spilled = 0
      dropIfDone(segment)
    },
    bytes: () => [...segments].reduce((sum, segment) => sum + segment.bytes, 0),
    isFailing: () => failing,
    close: async () => {
      if (turnIsDue) endOfTurn()
      if (isWriting)
        await new Promise<void>((resolve) => {
          whenIdle = resolve
        })
      if (current !== undefined) finish(current)
      await Promise.all([...removing, files.close()])
    },
  }
}

const CUT_SHORT = 'the disk took only a part'

/** A place of its own for every write: notes and groups are written at the same time. */
function placeIn(segment: Segment, bytes: Buffer): number {
  const at = segment.bytes
  segment.bytes += bytes.length
  return at
}

/** Calls back once: when the bytes are on the disk, or when it failed or took too long. */
function writeSynced(
  open: OpenSegment,
  bytes: Buffer,
  settle: (error: Error | null) => void,
  ended: (open: OpenSegment) => void,
): void {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    settle(new Error(`the disk took longer than ${SLOW_DISK_MS} ms`))
  }, SLOW_DISK_MS).unref()
  open.writes += 1
  fs.write(open.syncedFd, bytes, 0, bytes.length, placeIn(open.segment, bytes), (error, written) => {
    clearTimeout(timer)
    open.writes -= 1
    ended(open)
    if (isLate) return
    settle(error === null && written !== bytes.length ? new Error(CUT_SHORT) : error)
  })
}

/** The journal files of a directory, oldest first. */
export async function segmentsIn(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory)
  return names
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .map((name) => path.join(directory, name))
}

export async function readSegment(file: string): Promise<DecodedEntries> {
  return decodeEntries(await readFile(file))
}
