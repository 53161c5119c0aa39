/** Colours by hand: ANSI codes when a person looks, nothing otherwise. A few lines; a dependency would be larger. */
import type { Environment } from '../terminal/environment.ts'

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
}

export function createPaint(hasColor: boolean): Paint {
  const code =
    (on: number, off: number) =>
    (text: string): string =>
      hasColor && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return { bold: code(1, 22), dim: code(2, 22), green: code(32, 39), yellow: code(33, 39), red: code(31, 39) }
}

/** An empty NO_COLOR counts as unset (no-color.org). */
export function wantsColor(isTerminal: boolean, environment: Environment, flag: boolean): boolean {
  if (!flag || (environment['NO_COLOR'] ?? '') !== '' || environment['CLICOLOR'] === '0') return false
  return isTerminal && environment['TERM'] !== 'dumb'
}

/** One place for the meaning of status words, so that "revoked" has the same colour everywhere. */
export function paintStatus(paint: Paint, word: string): string {
  if (/^(active|healthy|ok|supported|delivered|yes|pass|match)$/.test(word)) return paint.green(word)
  if (/^(unhealthy|revoked|blocked|failed|unsupported|denied|fail|error)$/.test(word)) return paint.red(word)
  if (/^(unknown|warning|shaped|expired|suspected|warn|inactive|differs)$/.test(word)) return paint.yellow(word)
  return word
}
