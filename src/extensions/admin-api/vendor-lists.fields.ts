/** Lists as the vendor's Admin API takes and answers them: `limit` and `page`, and values that may stand several times. */
import { type ZodType, z } from 'zod'
import type { Page } from '../../foundation/database/paging.ts'
import { id } from '../../foundation/http/fields.ts'

const MAX_ROWS = 1_000
const MAX_VALUES = 100

export const vendorListQuery = {
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(20),
  page: z.string().max(4_000).optional(),
}

export function describeVendorPage(item: ZodType): ZodType {
  return z.object({ data: z.array(item), next_page: z.string().nullable() })
}

export function vendorPage<T>({ data, next_cursor }: Page<T>): { data: readonly T[]; next_page: string | null } {
  return { data, next_page: next_cursor }
}

/**
 * A value that may stand several times. The vendor's libraries write `name[]=a&name[]=b`, people and other programs
 * `name=a&name=b`; both are taken.
 */
export function describeSeveral<Name extends string, T extends ZodType>(name: Name, item: T) {
  const values = z.union([item.transform((value) => [value]), z.array(item).max(MAX_VALUES)]).optional()
  return { [name]: values, [`${name}[]`]: values } as Record<Name | `${Name}[]`, typeof values>
}

/** What was asked for by either spelling, or undefined for all. */
export function asked<T>(plain: readonly T[] | undefined, listed: readonly T[] | undefined): readonly T[] | undefined {
  return plain === undefined && listed === undefined ? undefined : [...(plain ?? []), ...(listed ?? [])]
}

/** Ids of a filter that something here may have: those of another kind, such as the vendor's own, match nothing. */
export function knownIds(ids: readonly string[] | undefined): readonly string[] | undefined {
  return ids?.flatMap((one) => id.safeParse(one).data ?? [])
}
