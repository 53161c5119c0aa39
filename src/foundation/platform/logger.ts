/** The log: pino, with secrets kept out by construction and a last sieve for credentials that reach a line anyway. */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import { createLogOutput } from './log-output.ts'
import { plainTextLine, textLine } from './log-text.ts'
import { createRecentLines, type RecentLines } from './recent-lines.ts'

export type Logger = PinoLogger

export interface LogOptions {
  readonly level: string
  readonly format: 'text' | 'json'
  /** Where lines go; standard output when absent. */
  readonly write?: (line: string) => void
}

export interface Logging {
  readonly log: Logger
  /** Lines are buffered; call before the process ends. */
  readonly flush: () => void
  /** The newest lines once more, without credentials, as they went out. */
  readonly recent: RecentLines['read']
}

/** Each write wakes a thread, which costs more than writing ten lines; a quiet gateway still shows its lines at once. */
const WRITE_CHARACTERS = 15 * 1024
const FLUSH_MS = 100

export function createLogging(options: LogOptions): Logging {
  const sink = options.write === undefined ? standardOutput() : sieved(options.write)
  const stream: DestinationStream = {
    write: (line) => sink.write(options.format === 'json' ? line : textLine(line)),
  }
  const log: Logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: {
        logMethod(args, method, level) {
          // Every request writes a line, so the usual one is written as it is shown. Child loggers add fields of their own.
          const line = options.format === 'text' && this === log ? usualLine(args, level) : undefined
          if (line === undefined) method.apply(this, args)
          else sink.write(line)
        },
      },
    },
    stream,
  )
  return { log, flush: sink.flush, recent: sink.recent }
}

function usualLine([fields, message, ...rest]: readonly unknown[], level: number): string | undefined {
  if (typeof fields !== 'object' || fields === null || typeof message !== 'string' || rest.length > 0) return undefined
  if (fields instanceof Error) return undefined
  return plainTextLine(
    new Date().toISOString(),
    pino.levels.labels[level] ?? '',
    fields as Record<string, unknown>,
    message,
  )
}

interface Sink {
  readonly write: (line: string) => void
  readonly flush: () => void
  readonly recent: RecentLines['read']
}

function sieved(write: (line: string) => void): Sink {
  const recent = createRecentLines()
  return {
    write: (line) => {
      const clean = withoutCredentials(line)
      recent.add(clean)
      write(clean)
    },
    flush: () => {},
    recent: recent.read,
  }
}

function standardOutput(): Sink {
  const out = createLogOutput()
  const recent = createRecentLines()
  let gathered = ''
  const pass = (): void => {
    if (gathered === '') return
    const lines = withoutCredentials(gathered)
    gathered = ''
    recent.add(lines)
    out.write(lines)
  }
  setInterval(pass, FLUSH_MS).unref()
  return {
    write: (line) => {
      gathered += line
      if (gathered.length >= WRITE_CHARACTERS) pass()
    },
    flush: () => {
      pass()
      out.flush()
    },
    recent: (after) => {
      pass()
      return recent.read(after)
    },
  }
}

/**
 * Only the parts of an error that are written by programs. SDK and driver errors carry whole requests in
 * further properties, headers included, so nothing else is copied.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is not an Error was thrown' }
  const code = (error as { code?: unknown }).code
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    // An expected refusal is no accident: where it was thrown says nothing.
    ...(error.name === 'Problem' ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  }
}

/** Each in one pass over the line, whatever it holds: at `debug` a line has text of clients, by the ten thousand characters. */
const credentialSieves: readonly (readonly [marker: string, sieve: (line: string) => string])[] = [
  // The first 16 characters of a key are its public prefix.
  ['sk-proxy-', (line) => line.replace(/(sk-proxy-[A-Za-z0-9]{0,7})[A-Za-z0-9]*/g, '$1…')],
  ['sess-', (line) => line.replace(/sess-[A-Za-z0-9_.-]{8,}/g, 'sess-…')],
  ['eyJ', (line) => line.replace(/[A-Za-z0-9_.-]{13,}/g, withoutToken)],
  ['earer ', (line) => line.replace(/(bearer\s+)[^\s"\\]+/gi, '$1…')],
  ['://', (line) => line.replace(/[^\s"]{6,}/g, withoutPassword)],
]

const SHORTEST_HEADER = 'eyJ'.length + 8

/** A token is a header, a dot and something more. In a part between two dots its first beginning makes the longest header. */
function withoutToken(word: string): string {
  for (let at = word.indexOf('eyJ'); at >= 0; ) {
    const dot = word.indexOf('.', at)
    if (dot < 0 || dot + 1 === word.length) return word
    if (dot - at >= SHORTEST_HEADER) return `${word.slice(0, at)}eyJ…`
    at = word.indexOf('eyJ', dot)
  }
  return word
}

/** Looked for only where an `@` still follows: else every address would be read to the end of the word. */
function withoutPassword(word: string): string {
  const end = word.lastIndexOf('@') + 1
  return word.slice(0, end).replace(/(:\/\/[^:@/\s"]*:)[^@\s"]+@/g, '$1…@') + word.slice(end)
}

function withoutCredentials(line: string): string {
  let clean = line
  for (const [marker, sieve] of credentialSieves) if (clean.includes(marker)) clean = sieve(clean)
  return clean
}
