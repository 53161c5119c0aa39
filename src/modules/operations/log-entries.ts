/** Reads lines of the log back into entries, in whichever form they were written. */
import { textLine } from '../../foundation/platform/log-text.ts'

/** What can be asked for; `fatal` counts as an error. */
export const shownLevels = ['info', 'warn', 'error'] as const
export type ShownLevel = (typeof shownLevels)[number]

export interface LogEntry {
  readonly at: string
  readonly level: ShownLevel
  /** The message with its fields; an error brings some lines of its stack. */
  readonly text: string
}

const BEGINNING = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([A-Z]+) +/

/**
 * Entries of the levels that are shown, oldest first. `debug` and `trace` hold what people write, which whoever runs the
 * process may have chosen to see there; it is not for everybody with the admin role.
 */
export function readLogEntries(lines: string): readonly LogEntry[] {
  const entries: { at: string; level: ShownLevel; text: string }[] = []
  let current: (typeof entries)[number] | undefined
  for (const line of lines.split('\n')) {
    const shown = line.startsWith('{') ? textLine(line).trimEnd() : line
    for (const part of shown.split('\n')) {
      const beginning = BEGINNING.exec(part)
      if (beginning === null) {
        if (current !== undefined && part !== '') current.text += `\n${part}`
        continue
      }
      const [whole, at = '', label = ''] = beginning
      const level = findLevel(label)
      current = level === undefined ? undefined : { at, level, text: part.slice(whole.length) }
      if (current !== undefined) entries.push(current)
    }
  }
  return entries
}

function findLevel(label: string): ShownLevel | undefined {
  const level = label === 'FATAL' ? 'error' : label.toLowerCase()
  return shownLevels.find((one) => one === level)
}
