/**
 * Standard output for the log: written beside the work, bounded, and never a reason for the process not to end.
 * Our own, because a pipe that nobody reads must neither fill the memory nor hold up the end of the process.
 */
import * as fs from 'node:fs'

export interface LogOutput {
  readonly write: (lines: string) => void
  /** Blocks until what is left is written, or cannot be. */
  readonly flush: () => void
}

/** A pipe that nobody reads must not fill the memory: beyond this, lines are dropped. */
const MAX_WAITING_CHARACTERS = 16 * 1024 * 1024
const FULL_PIPE_PAUSE_MS = 50
/** At the end of the process the reader of a full pipe has this long, not for ever. */
const LAST_WORDS_MS = 1_000

export function createLogOutput({ fd, beNonBlocking }: Target = standardOutput()): LogOutput {
  let waiting: string[] = []
  let waitingCharacters = 0
  let current: Buffer = Buffer.alloc(0)
  let state: 'idle' | 'writing' | 'pausing' = 'idle'

  const takeAll = (): Buffer => {
    const all = Buffer.from(waiting.join(''))
    waiting = []
    waitingCharacters = 0
    return all
  }

  const writeOn = (): void => {
    if (current.length === 0) current = takeAll()
    if (current.length === 0) {
      state = 'idle'
      return
    }
    state = 'writing'
    beNonBlocking()
    fs.write(fd, current, (error, written) => {
      if (error?.code === 'EAGAIN') {
        state = 'pausing'
        setTimeout(() => {
          if (state === 'pausing') writeOn()
        }, FULL_PIPE_PAUSE_MS).unref()
        return
      }
      // failure-modes: log output gone. These lines are lost; a disk may have room for later ones.
      current = error === null ? current.subarray(written) : Buffer.alloc(0)
      writeOn()
    })
  }

  return {
    write: (lines) => {
      if (waitingCharacters + lines.length > MAX_WAITING_CHARACTERS) return
      waiting.push(lines)
      waitingCharacters += lines.length
      if (state === 'idle') writeOn()
    },
    flush: () => {
      const endMs = performance.now() + LAST_WORDS_MS
      // What is being written is out of our hands, and comes before the rest.
      let rest: Buffer = state === 'writing' ? takeAll() : Buffer.concat([current, takeAll()])
      if (state === 'pausing') {
        state = 'idle'
        current = Buffer.alloc(0)
      }
      while (rest.length > 0) {
        try {
          beNonBlocking()
          rest = rest.subarray(fs.writeSync(fd, rest))
        } catch (error) {
          // failure-modes: log output gone. There is nowhere left to report it.
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > endMs) return
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS)
        }
      }
    },
  }
}

interface Target {
  readonly fd: number
  /** Writing where there is no room fails instead of waiting. */
  readonly beNonBlocking: () => void
}

/** A thread that waits for a reader would keep the process from ending for as long as nobody reads. */
function standardOutput(): Target {
  try {
    const kind = fs.fstatSync(1)
    // A pipe is opened once more: the description that others share stays as it is.
    if (kind.isFIFO())
      return { fd: fs.openSync('/proc/self/fd/1', fs.constants.O_WRONLY | fs.constants.O_NONBLOCK), beNonBlocking }
    if (kind.isSocket()) return { fd: 1, beNonBlocking: nonBlockingSocket() }
  } catch {
    // failure-modes: log output gone. Another system, or a pipe of somebody else's: it is written to as it is.
  }
  return { fd: 1, beNonBlocking }
}

function beNonBlocking(): void {
  // As it was opened.
}

/**
 * Sockets, as of service managers and of parents that are written in Node, cannot be opened once more. Each process that
 * is started with the same one, such as a worker, makes it wait again for all, so this is said before every write.
 */
function nonBlockingSocket(): () => void {
  const { _handle: handle } = process.stdout as { readonly _handle?: { setBlocking?: (on: boolean) => void } }
  return () => void handle?.setBlocking?.(false)
}
