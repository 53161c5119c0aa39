/** The log: pino, with secrets kept out by construction and a last sieve for credentials that reach a line anyway. */
import { isIP } from 'node:net'
import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino'
import { textLine } from './log-text.ts'

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
}

/** A pipe that nobody reads must not fill the memory: beyond this, lines are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024

export function createLogging(options: LogOptions): Logging {
  const sink = options.write === undefined ? standardOutput() : { write: options.write, flush: () => {} }
  const stream: DestinationStream = {
    write: (line) => {
      const clean = withoutCredentials(line)
      sink.write(options.format === 'json' ? clean : textLine(clean))
    },
  }
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream,
  )
  return { log, flush: sink.flush }
}

function standardOutput(): { write: (line: string) => void; flush: () => void } {
  const out = destination({ fd: 1, sync: false, minLength: 4096, maxLength: MAX_BUFFERED_BYTES, periodicFlush: 100 })
  // failure-modes: log output gone. A closed or full pipe costs log lines, never the process.
  out.on('error', () => {})
  return {
    write: (line) => void out.write(line),
    flush: () => {
      try {
        out.flushSync()
      } catch {
        // failure-modes: log output gone. There is nowhere left to report it.
      }
    },
  }
}

/**
 * Only the parts of an error that are written by programs. SDK and driver errors carry whole requests in
 * further properties, headers included, so nothing else is copied.
 */
export function describeError(error: unknown): object {
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

const credentialPatterns: readonly (readonly [marker: string, pattern: RegExp, replacement: string])[] = [
  // The first 16 characters of a key are its public prefix.
  ['sk-proxy-', /(sk-proxy-[A-Za-z0-9]{0,7})[A-Za-z0-9]*/g, '$1…'],
  ['sess-', /sess-[A-Za-z0-9_.-]{8,}/g, 'sess-…'],
  ['eyJ', /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]+/g, 'eyJ…'],
  ['earer ', /(bearer\s+)[^\s"\\]+/gi, '$1…'],
  ['://', /(:\/\/[^:@/\s"]*:)[^@\s"]+@/g, '$1…@'],
]

export function withoutCredentials(line: string): string {
  let clean = line
  for (const [marker, pattern, replacement] of credentialPatterns)
    if (clean.includes(marker)) clean = clean.replace(pattern, replacement)
  return clean
}

/** Source addresses are shown as they are; anything else that claims to be one is not. */
export function shownAddress(address: string | undefined): string {
  return address !== undefined && isIP(address) > 0 ? address : 'unknown'
}
