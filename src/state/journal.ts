/** The local journal: entries appended in groups, each group one write and one sync; files go when nothing needs them. */
import * as fs from 'node:fs'
import { appendFile, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type DecodedEntries, decodeEntries, encodeEntries } from './journal-entry.ts'

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

export interface Journal {
  /** Resolves with the segment when the text is on the disk. Rejects when the disk does not take it. */
  readonly append: (text: string) => Promise<Segment>
  /**
   * Handed to the operating system before it returns: survives the death of the process, though not of the machine.
   * Undefined when the disk does not take it.
   */
  readonly note: (text: string) => Segment | undefined
  /** One thing less that the segment is needed for. */
  readonly release: (segment: Segment) => void
  /** The oldest segment with records that memory does not have; the one being written is ended first. */
  readonly takeSpilled: () => Segment | undefined
  /** Its records are in the database. */
  readonly forgetSpilled: (segment: Segment) => void
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

const write = promisify(fs.write)
const sync = promisify(fs.fdatasync)
const closeFile = promisify(fs.close)

interface Waiter {
  readonly text: string
  readonly resolve: (segment: Segment) => void
  readonly reject: (error: unknown) => void
}

interface OpenSegment {
  readonly segment: Segment
  readonly fd: number
  /** The last write: the file is closed behind it, however long it takes. */
  work: Promise<void>
}

export function openJournal(options: JournalOptions): Journal {
  const segmentBytes = options.segmentBytes ?? SEGMENT_BYTES
  const segments = new Set<Segment>()
  const removing = new Set<Promise<void>>()
  let counter = 0
  let current: OpenSegment | undefined
  let waiting: Waiter[] = []
  let writing: Promise<void> | undefined
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
    const name = `${String(++counter).padStart(10, '0')}.journal`
    const segment = { path: path.join(options.directory, name), bytes: 0, needed: 0, spilled: 0, finished: false }
    // Appending: notes and groups may be written at the same time and must not overwrite each other.
    current = { segment, fd: fs.openSync(segment.path, 'a', 0o600), work: Promise.resolve() }
    segments.add(segment)
    return current
  }

  const finish = (open: OpenSegment): void => {
    if (open.segment.finished) return
    if (current === open) current = undefined
    open.segment.finished = true
    dropIfDone(open.segment)
    open.work
      .catch(() => undefined)
      .then(() => closeFile(open.fd))
      .catch(options.onFailure)
  }

  const requireOpen = (): OpenSegment => {
    if (failing && performance.now() < nextTryMs) throw new Error('the journal is not writable')
    nextTryMs = performance.now() + RETRY_MS
    return current ?? openNext()
  }

  const failed = (error: unknown, open: OpenSegment | undefined): void => {
    const isNews = !failing
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

  const writeGroup = async (group: readonly Waiter[]): Promise<void> => {
    let open: OpenSegment | undefined
    try {
      open = requireOpen()
      const { segment, fd } = open
      // Counted before the write: a segment that is being written must not be removed.
      segment.needed += group.length
      const bytes = encodeEntries(group.map(({ text }) => text))
      open.work = writeAndSync(fd, bytes)
      await withinTime(open.work)
      segment.bytes += bytes.length
      succeeded()
      for (const { resolve } of group) resolve(segment)
      if (segment.bytes >= segmentBytes) finish(open)
    } catch (error) {
      if (open !== undefined) open.segment.needed -= group.length
      failed(error, open)
      for (const { reject } of group) reject(error)
    }
  }

  const writeWaiting = async (): Promise<void> => {
    // Everything that arrives in this turn of the event loop, or during the sync before, shares the next sync.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await writeGroup(group)
    }
    writing = undefined
  }

  return {
    append: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject })
        writing ??= writeWaiting()
      }),
    note: (text) => {
      let open: OpenSegment | undefined
      try {
        open = requireOpen()
        const bytes = encodeEntries([text])
        if (fs.writeSync(open.fd, bytes) !== bytes.length) throw new Error('the disk took only a part')
        open.segment.bytes += bytes.length
        open.segment.needed += 1
        return open.segment
      } catch (error) {
        // failure-modes: journal not writable. The call goes on; only a crash during it would leave it unrecorded.
        failed(error, open)
        return undefined
      }
    },
    release: (segment) => {
      segment.needed -= 1
      dropIfDone(segment)
    },
    takeSpilled: () => {
      for (const segment of segments) {
        if (segment.spilled === 0) continue
        if (current?.segment !== segment) return segment
        // Never while a group is on its way into it; the next call finds it again.
        if (writing !== undefined) return undefined
        finish(current)
        return segment
      }
      return undefined
    },
    forgetSpilled: (segment) => {
      segment.spilled = 0
      dropIfDone(segment)
    },
    bytes: () => [...segments].reduce((sum, segment) => sum + segment.bytes, 0),
    isFailing: () => failing,
    close: async () => {
      await writing
      if (current !== undefined) finish(current)
      await Promise.all(removing)
    },
  }
}

async function writeAndSync(fd: number, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await write(fd, bytes, 0, bytes.length, null)
  if (bytesWritten !== bytes.length) throw new Error('the disk took only a part')
  await sync(fd)
}

async function withinTime(work: Promise<void>): Promise<void> {
  const stopped = new AbortController()
  const tooSlow = sleep(SLOW_DISK_MS, undefined, { signal: stopped.signal, ref: false }).then(
    () => Promise.reject(new Error(`the disk took longer than ${SLOW_DISK_MS} ms`)),
    () => undefined,
  )
  try {
    await Promise.race([work, tooSlow])
  } finally {
    stopped.abort()
    work.catch(() => undefined)
  }
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

/** For records that the database refuses in every form: kept for a person to look at. */
export async function quarantine(root: string, texts: readonly string[]): Promise<void> {
  await appendFile(path.join(root, 'quarantine.jsonl'), texts.map((text) => `${text}\n`).join(''), { mode: 0o600 })
}
