/** The files of the journal, made of zeros before they are written over: then no write changes their size. */
import * as fs from 'node:fs'
import { open, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * A write that makes a file longer changes its entry in the file system, and while that is being synced for one group
 * the next such write waits for the disk, on the main thread if it is a note. Writing over what is there does not.
 */
export interface SegmentFile {
  readonly path: string
  /** For notes: written to the operating system, not to the disk. */
  readonly plainFd: number
  /** For records: synced with every write, as by `fdatasync`, but in one step. */
  readonly syncedFd: number
}

export interface SegmentFiles {
  /** The next file in order; throws when there can be none. */
  readonly take: () => SegmentFile
  /** Makes the next file in the background, so that taking it costs nothing. */
  readonly prepareNext: () => void
  /** Removes what was prepared and not taken. */
  readonly close: () => Promise<void>
}

interface Prepared {
  readonly path: string
  isReady: boolean
  readonly made: Promise<void>
}

export function createSegmentFiles(directory: string, bytes: number): SegmentFiles {
  let counter = 0
  let next: Prepared | undefined
  const discarding = new Set<Promise<void>>()

  const nextPath = (): string => path.join(directory, `${String(++counter).padStart(10, '0')}.journal`)

  const discard = ({ path: file, made }: Prepared): void => {
    // failure-modes: journal file not removed. It has nothing in it.
    const discarded = made.then(() => rm(file, { force: true })).catch(() => undefined)
    discarding.add(discarded)
    void discarded.then(() => discarding.delete(discarded))
  }

  return {
    take: () => {
      const prepared = next
      next = undefined
      if (prepared?.isReady) return opened(prepared.path)
      // Not even if it is ready in a moment: files are read in the order of their numbers.
      if (prepared !== undefined) discard(prepared)
      const file = nextPath()
      makeBlank(file, bytes)
      return opened(file)
    },
    prepareNext: () => {
      if (next !== undefined) return
      const file = nextPath()
      const prepared: Prepared = {
        path: file,
        isReady: false,
        // failure-modes: journal not writable. The next file is then made when it is needed, and says so if it cannot be.
        made: makeSyncedBlank(file, bytes).then(
          () => {
            prepared.isReady = true
          },
          () => undefined,
        ),
      }
      next = prepared
    },
    close: async () => {
      if (next !== undefined) discard(next)
      next = undefined
      await Promise.all(discarding)
    },
  }
}

function opened(file: string): SegmentFile {
  let plainFd: number | undefined
  try {
    plainFd = fs.openSync(file, fs.constants.O_WRONLY)
    return { path: file, plainFd, syncedFd: fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_DSYNC) }
  } catch (error) {
    if (plainFd !== undefined) fs.closeSync(plainFd)
    // Nobody knows of it, and a process without descriptors tries again every second: the disk would fill with blank files.
    fs.rmSync(file, { force: true })
    throw error
  }
}

function makeBlank(file: string, bytes: number): void {
  const fd = fs.openSync(file, 'wx', 0o600)
  try {
    if (fs.writeSync(fd, Buffer.alloc(bytes)) !== bytes) fs.ftruncateSync(fd, 0)
  } catch {
    // failure-modes: journal not writable. There may be room for a few records though not for a whole file.
    fs.ftruncateSync(fd, 0)
  } finally {
    fs.closeSync(fd)
  }
}

async function makeSyncedBlank(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(Buffer.alloc(bytes))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
