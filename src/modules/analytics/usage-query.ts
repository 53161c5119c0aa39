/** The parameters of everything that sums up usage over a range, and the range that they mean. */
import { z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import {
  decideRange,
  granularities,
  MAX_RANGE_DAYS,
  type RangeRequest,
  rangeDays,
  type UsageRange,
} from '../../foundation/domain/usage-range.ts'
import { defined } from '../../foundation/platform/defined.ts'

const shown = /^[^\p{Cc}\p{Cs}]*$/u
const MAX_NAMES = 1_000

export const rangeQuery = {
  days: z.coerce
    .number()
    .refine((days) => (rangeDays as readonly number[]).includes(days), `must be one of ${rangeDays.join(', ')}`)
    .default(30)
    .meta({ description: 'The last so many days, the running one included.', enum: [...rangeDays], type: 'integer' }),
  from: z.string().max(10).optional().meta({ description: 'First day, YYYY-MM-DD; goes with `to` and before `days`.' }),
  to: z
    .string()
    .max(10)
    .optional()
    .meta({ description: `Last day, included; at most ${MAX_RANGE_DAYS} days in all.` }),
  granularity: z.enum(granularities).default('auto'),
  tz: z.string().max(64).default('UTC').meta({ description: 'IANA name of the time zone that days and hours are of.' }),
}

/** Of the analytics alone: what runs can then be compared with the same part of what is over. */
const untilQuery = {
  until: z
    .string()
    .regex(/^(?!00:00)([01]\d|2[0-3]):(00|15|30|45)$/, 'must be a quarter of an hour such as 14:30, after 00:00')
    .optional()
    .meta({ description: 'The last day up to this time of the zone, HH:MM at a quarter of an hour.' }),
}

/** Comma-separated names, or one name that has a comma in it. */
const names = z
  .string()
  .normalize('NFC')
  .max(9_000)
  .regex(shown, 'must not have control characters')
  .transform((text) => ({ whole: text.trim(), parts: splitParts(text) }))
  .refine(({ parts }) => parts.length > 0 && parts.length <= MAX_NAMES, `takes one to ${MAX_NAMES} names`)
  .optional()
  .meta({ description: 'Names or ids with commas between them, or one name as it is, also with a comma in it.' })

function splitParts(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

export const filterQuery = { team: names, user: names, model: names, endpoint: names }

/** The parameters of every report on the organization. */
export const analyticsQuery = z.strictObject({ ...rangeQuery, ...untilQuery, ...filterQuery })
export type AnalyticsQuery = z.infer<typeof analyticsQuery>

export const rangeSchema = z.object({
  from: z.string(),
  to: z.string(),
  granularity: z.enum(['hour', 'day', 'week']),
  tz: z.string(),
  until: z.string().optional(),
})

/** Throws the public error for days that make no range. */
export function requireRange(request: RangeRequest, nowMs: number): UsageRange {
  const range = decideRange(request, nowMs)
  if ('reason' in range) throw invalidParameter(range.name, range.reason)
  return range
}

export function rangeBody({ from, to, granularity, tz, until }: UsageRange): z.infer<typeof rangeSchema> {
  return defined({ from, to, granularity, tz, until })
}
