/**
 * Loaded before a program whose wall clock a test sets: `CLOCK_FILE` holds by how many milliseconds it is ahead. Timers and the
 * monotonic clock go on as they are, as when an operator or a time server sets the clock of a machine.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['CLOCK_FILE'] ?? ''
const RealDate = Date
let aheadMs = 0

function look(): void {
  const wanted = Number(readFileSync(file, 'utf8')) || 0
  if (wanted === aheadMs) return
  aheadMs = wanted
  // The test that sets the clock waits for this.
  writeFileSync(`${file}.set`, String(wanted))
}

class SetDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(SetDate.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
}

look()
setInterval(look, 20).unref()
globalThis.Date = SetDate as DateConstructor
