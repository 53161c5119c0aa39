/** Writes to standard output as a whole, or ends the command: a secret or a backup that was cut off must not look like success. */
import { fstatSync, writeFileSync } from 'node:fs'
import { getSystemErrorMessage } from 'node:util'
import { exitCodes } from './cli-error.ts'

const STANDARD_OUTPUT = 1

export function openStandardOutput(): (text: string) => void {
  process.stdout.on('error', endUnwritten)
  if (!fstatSync(STANDARD_OUTPUT).isFile()) return (text) => void process.stdout.write(text)
  // The stream of the process takes a write that a full disk has cut short for a whole one.
  return (text) => {
    try {
      writeFileSync(STANDARD_OUTPUT, text)
    } catch (error) {
      endUnwritten(error as NodeJS.ErrnoException)
    }
  }
}

/** A reader that goes away, such as `head`, has what it wants: no word, and no failure. */
function endUnwritten({ code, errno, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(exitCodes.done)
  const reason = errno === undefined ? message : getSystemErrorMessage(errno)
  process.stderr.write(`causeway: the output could not be written: ${reason}\n`)
  process.exit(exitCodes.failed)
}
