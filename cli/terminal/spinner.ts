/**
 * Shows that something is going on, to a person, after a moment. Never in a pipe, and never for quick answers.
 * A few lines; a dependency would be larger.
 */
import type { Io } from './io.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = 90
const PATIENCE_MS = 300
const CLEAR_LINE = '\r\u001b[2K'

export async function withSpinner<T>(io: Pick<Io, 'err' | 'errIsTerminal'>, work: Promise<T>): Promise<T> {
  if (!io.errIsTerminal) return work
  let frame = 0
  let ticking: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    ticking = setInterval(() => {
      io.err(`${CLEAR_LINE}${FRAMES[frame % FRAMES.length]} asking the gateway`)
      frame += 1
    }, FRAME_MS)
  }, PATIENCE_MS)
  try {
    return await work
  } finally {
    clearTimeout(begin)
    clearInterval(ticking)
    if (frame > 0) io.err(CLEAR_LINE)
  }
}
