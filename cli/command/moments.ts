/** Times that people type: `90d` from now, `2h` ago, or a date. A few lines; a dependency would be larger. */
import { InvalidArgumentError } from 'commander'
import { parseMoment } from '../output/shown.ts'

const DAY_SECONDS = 86_400

export function ahead(text: string): string {
  return required(parseMoment(text, Date.now(), 'ahead'))
}

export function ago(text: string): string {
  return required(parseMoment(text, Date.now(), 'ago'))
}

export function seconds(text: string): number {
  const at = /^\d+[a-z]$/.test(text) ? parseMoment(text, 0, 'ahead') : undefined
  const value = /^\d+$/.test(text) ? Number(text) : at === undefined ? Number.NaN : Date.parse(at) / 1_000
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a length of time such as 30s, 15m, 24h or 7d.')
  return value
}

/** Between one look and the next: without one the gateway would be asked without end, and a timer takes too long a one for none. */
export function pause(text: string): number {
  const value = seconds(text)
  if (value < 1 || value > DAY_SECONDS) throw new InvalidArgumentError('It must be from 1s to 1d.')
  return value
}

function required(moment: string | undefined): string {
  if (moment === undefined)
    throw new InvalidArgumentError('It must be a length of time such as 2h or 90d, or a date such as 2027-01-31.')
  return moment
}
