/** What every list takes and answers. */
import { type ZodType, z } from 'zod'
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, type Page } from '../database/paging.ts'
import { id } from './fields.ts'

/** Strict where it is used: a misspelt filter would show everything. */
export const listQuery = {
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_LIMIT).default(DEFAULT_PAGE_LIMIT),
  cursor: z.string().max(4_000).optional(),
  q: z
    .string()
    // As names are stored: some keyboards send a letter and its accent apart.
    .normalize('NFC')
    .max(320)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not have control characters')
    .optional(),
  sort: z.string().max(40).optional(),
}

const MAX_IDS = MAX_PAGE_LIMIT

/** For a table that has ids and wants the names of just these. One page holds them all. */
export const idsQuery = {
  ids: z
    .string()
    .meta({ description: `At most ${MAX_IDS} ids with commas between them; only these are listed.` })
    .transform((list) => list.split(','))
    .pipe(z.array(id).max(MAX_IDS))
    .optional(),
}

export function describePage(item: ZodType): ZodType {
  return z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() })
}

export function mapPage<T, R>(page: Page<T>, toItem: (item: T) => R): Page<R> {
  return { ...page, data: page.data.map(toItem) }
}
