/** The buckets that a report is asked for: of UTC, a page of them at a time. */
import { type ZodType, z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { time } from '../../foundation/http/fields.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How many buckets a page has, and how much of the log one statement reads. */
export const widths = {
  '1d': { ms: DAY_MS, default: 7, max: 31, pieceMs: DAY_MS },
  '1h': { ms: HOUR_MS, default: 24, max: 168, pieceMs: 6 * HOUR_MS },
  '1m': { ms: MINUTE_MS, default: 60, max: 1_440, pieceMs: HOUR_MS },
} as const
export type Width = keyof typeof widths

export const bucketsQuery = {
  starting_at: time.meta({ description: 'RFC 3339; the first bucket is the one that it lies in.' }),
  ending_at: time.optional().meta({ description: 'Buckets that end by then; without it up to the running one.' }),
  limit: z.coerce.number().int().min(1).optional().meta({ description: 'Buckets in one answer.' }),
  page: z.string().max(200).optional().meta({ description: 'The `next_page` of the answer before.' }),
}

export function describeReport(result: ZodType): ZodType {
  const bucket = z.object({ starting_at: z.iso.datetime(), ending_at: z.iso.datetime(), results: z.array(result) })
  return z.object({ data: z.array(bucket), has_more: z.boolean(), next_page: z.string().nullable() })
}

interface BucketsRequest {
  readonly starting_at: number
  readonly ending_at?: number | undefined
  readonly limit?: number | undefined
  readonly page?: string | undefined
}

interface Asked {
  readonly width: Width
  /** Of this page. */
  readonly buckets: readonly Span[]
  /** Of the whole report. */
  readonly endMs: number
}

/** Nothing has been used after the running bucket, so it is the last one. */
export function bucketsAsked(request: BucketsRequest, width: Width, nowMs: number): Asked {
  const { ms, max, default: usual } = widths[width]
  const limit = request.limit ?? usual
  if (limit > max) throw invalidParameter('limit', `must be at most ${max} with bucket_width ${width}.`)
  if (request.ending_at !== undefined && request.ending_at <= request.starting_at)
    throw invalidParameter('ending_at', 'must be after starting_at.')
  const floor = (timeMs: number): number => Math.floor(timeMs / ms) * ms
  const startMs = floor(request.starting_at)
  const endMs = Math.min(floor(request.ending_at ?? Number.POSITIVE_INFINITY), floor(nowMs) + ms)
  const firstMs = request.page === undefined ? startMs : pageStart(request.page, startMs, ms)
  const buckets: Span[] = []
  for (let fromMs = firstMs; fromMs < endMs && buckets.length < limit; fromMs += ms)
    buckets.push({ startMs: fromMs, endMs: fromMs + ms })
  return { width, buckets, endMs }
}

function pageStart(page: string, startMs: number, ms: number): number {
  const foundMs = Date.parse(Buffer.from(page.replace(/^page_/, ''), 'base64').toString())
  if (foundMs > startMs && foundMs % ms === 0 && toToken(foundMs) === page) return foundMs
  throw invalidParameter('page', 'is not one that this report has given out for these buckets.')
}

function toToken(timeMs: number): string {
  return `page_${Buffer.from(bucketTime(timeMs)).toString('base64')}`
}

/** Without milliseconds, as the vendor writes it. */
function bucketTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z')
}

/** About 10 MB of JSON: keys by the thousand, each with its row in every bucket, come in several pages. */
const MAX_RESULTS = 20_000

/** Reads piece by piece. A page ends early rather than with more results than a program may want to hold. */
export async function fillReport<R extends { readonly startMs: number }>(
  { width, buckets, endMs }: Asked,
  read: (piece: Span) => Promise<readonly R[]>,
  toResult: (row: R) => object,
) {
  const found: R[] = []
  const data: object[] = []
  for (const piece of splitPieces(buckets, widths[width].pieceMs)) {
    if (found.length >= MAX_RESULTS) break
    const rows = await read({ startMs: piece[0]?.startMs ?? 0, endMs: piece.at(-1)?.endMs ?? 0 })
    found.push(...rows)
    const byBucket = Map.groupBy(rows, (row) => row.startMs)
    for (const bucket of piece)
      data.push({
        starting_at: bucketTime(bucket.startMs),
        ending_at: bucketTime(bucket.endMs),
        results: (byBucket.get(bucket.startMs) ?? []).map(toResult),
      })
  }
  const nextMs = buckets[data.length - 1]?.endMs ?? endMs
  const hasMore = nextMs < endMs
  return { data, has_more: hasMore, next_page: hasMore ? toToken(nextMs) : null }
}

function splitPieces(buckets: readonly Span[], pieceMs: number): readonly (readonly Span[])[] {
  return [...Map.groupBy(buckets, ({ startMs }) => Math.floor(startMs / pieceMs)).values()]
}
