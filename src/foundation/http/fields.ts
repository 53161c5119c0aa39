/** Fields that several resources share, as the wire writes them. */
import { z } from 'zod'
import { grants } from '../domain/access.ts'

/** Any spelling that Postgres takes as a uuid; which version it is says nothing about whether it exists. */
export const id = z.guid({ error: 'must be a UUID' }).toLowerCase()

/** Spaces, and the marks that come along when text is copied from a chat or a window. */
const unseen = /[\s\u00ad\u200b-\u200f\u2060\ufeff]/

/** `platform` must not be two teams. A loop: a pattern for the end takes the square of the length where there are many spaces. */
function withoutUnseenEnds(value: string): string {
  let [start, end] = [0, value.length]
  while (start < end && unseen.test(value.charAt(start))) start += 1
  while (end > start && unseen.test(value.charAt(end - 1))) end -= 1
  return value.slice(start, end)
}

/**
 * Counted in characters, not in UTF-16 units. No control characters, half surrogate pairs, line separators or marks
 * that turn the direction of the text around them: each makes a list, a log line or an export say something else.
 */
export function text(maxLength: number) {
  const pattern = new RegExp(`^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069]{1,${maxLength}}$`, 'u')
  return z
    .string()
    .overwrite(withoutUnseenEnds)
    .normalize('NFC')
    .regex(pattern, `must have 1 to ${maxLength} characters and no control characters`)
    .meta({ minLength: 1, maxLength })
}

export const name = text(100)

const NO_TIME = 'must be a time such as 2027-01-31T00:00:00Z'
const FIRST_TIME_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Time in milliseconds inside, ISO 8601 outside: an offset must not lead to a year that has no four digits in UTC. */
export const time = z.iso
  .datetime({ offset: true, error: NO_TIME })
  .transform((value) => Date.parse(value))
  .refine((timeMs) => timeMs >= FIRST_TIME_MS && timeMs <= LAST_TIME_MS, NO_TIME)

export const rateLimitRpm = z.int().min(1).max(1_000_000)

export const role = z.enum(['member', 'admin'])

export const grant = z.enum(grants)

/** Once each and always in one order, so that the audit trail shows a change where there is one. */
export const grantList = z
  .array(grant)
  .max(20)
  .transform((wanted) => grants.filter((one) => wanted.includes(one)))

/** For operations that take nothing: a field that is sent all the same is a misunderstanding worth telling. */
export const nothing = z.strictObject({}).optional()

export function isoTime(timeMs: number): string
export function isoTime(timeMs: number | null): string | null
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}
