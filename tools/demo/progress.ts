/**
 * Shows what is being done, step by step: a line that rewrites itself on a terminal, plain lines everywhere else.
 * A hundred lines; a dependency would be larger.
 */
import { DatabaseSetupError } from '../../src/foundation/database/store-errors.ts'
import { DemoError } from './demo-error.ts'

export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly hasColor: boolean
}

export interface Progress {
  /** Runs one step. What it returns as `note` is shown behind its name. */
  readonly step: <R>(name: string, work: (show: (note: string) => void) => Promise<R>) => Promise<R>
  readonly say: (line: string) => void
  readonly paint: Paint
}

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
}

type Environment = Readonly<Record<string, string | undefined>>

export function standardOutput(env: Environment): Output {
  const isTerminal = process.stdout.isTTY === true && env['TERM'] !== 'dumb'
  return {
    write: (text) => void process.stdout.write(text),
    isTerminal,
    // An empty NO_COLOR counts as unset (no-color.org).
    hasColor: isTerminal && (env['NO_COLOR'] ?? '') === '',
  }
}

export function createPaint(hasColor: boolean): Paint {
  const code =
    (on: number, off: number) =>
    (text: string): string =>
      hasColor ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return { bold: code(1, 22), dim: code(2, 22), good: code(32, 39), bad: code(31, 39) }
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = 90
const CLEAR_LINE = '\r\u001b[2K'

export function createProgress(output: Output): Progress {
  const paint = createPaint(output.hasColor)
  let redraw: (() => void) | undefined

  const say = (line: string): void => {
    if (redraw !== undefined) output.write(CLEAR_LINE)
    output.write(`${line}\n`)
    redraw?.()
  }

  const step: Progress['step'] = async (name, work) => {
    const startedMs = performance.now()
    let note = ''
    let frame = 0
    let timer: NodeJS.Timeout | undefined
    if (output.isTerminal) {
      redraw = () => output.write(`${CLEAR_LINE}${FRAMES[frame % FRAMES.length]} ${name} ${paint.dim(note)}`)
      timer = setInterval(() => {
        frame += 1
        redraw?.()
      }, FRAME_MS)
      redraw()
    }
    const finish = (mark: string): void => {
      clearInterval(timer)
      if (redraw !== undefined) output.write(CLEAR_LINE)
      redraw = undefined
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
      say(`${mark} ${name}${note === '' ? '' : ` ${paint.dim(`(${note})`)}`} ${paint.dim(`${seconds} s`)}`)
    }
    try {
      const result = await work((text) => {
        note = text
      })
      finish(paint.good(output.isTerminal ? '✔' : 'done:'))
      return result
    } catch (error) {
      finish(paint.bad(output.isTerminal ? '✘' : 'failed:'))
      throw error
    }
  }

  return { step, say, paint }
}

/** What happened, the lines that tell more, and what to do next. */
export function describeFailure(error: unknown, paint: Paint): string {
  const message = error instanceof Error ? error.message : String(error)
  const lines = error instanceof DemoError ? error.lines : []
  return ['', ...lines.map((line) => paint.dim(`  ${line}`)), paint.bad(message), adviceFor(error)].join('\n')
}

function adviceFor(error: unknown): string {
  if (error instanceof DemoError) return error.advice
  if (error instanceof DatabaseSetupError)
    return 'Postgres needs an ordinary user of this system and a folder that this user may enter; try another of either.'
  return 'Start again with --verbose to see more.'
}
