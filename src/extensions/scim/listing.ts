/** Lists of provisioning (RFC 7644 3.4.2): pages by number, and which attributes the caller wants to see. */

import { invalidValue } from './scim-failure.ts'
import type { ScimSlice } from './scim-users.store.ts'

const DEFAULT_COUNT = 100
export const MAX_COUNT = 200
/** Beyond it Postgres takes no offset, and no provider has so many users. */
const MAX_START = 1_000_000_000

export interface ListRequest extends ScimSlice {
  readonly startIndex: number
}

export function readListRequest(query: URLSearchParams): ListRequest {
  // RFC 7644: values below the smallest possible one mean that one.
  const startIndex = Math.min(Math.max(readInteger(query, 'startIndex') ?? 1, 1), MAX_START)
  const limit = Math.min(Math.max(readInteger(query, 'count') ?? DEFAULT_COUNT, 0), MAX_COUNT)
  return { startIndex, offset: startIndex - 1, limit }
}

function readInteger(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)?.trim() ?? ''
  if (value === '') return undefined
  if (!/^-?\d{1,15}$/.test(value)) throw invalidValue(`${name} must be a whole number.`)
  return Number(value)
}

export function listResponse(totalResults: number, { startIndex }: ListRequest, resources: readonly object[]): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

export type Selection = (attribute: string) => boolean

const always: readonly string[] = ['schemas', 'id']

/** `attributes` names the only ones, `excludedAttributes` the ones to leave out; sub-attributes count as their whole. */
export function readSelection(query: URLSearchParams): Selection {
  const only = parseNames(query.get('attributes'))
  const without = parseNames(query.get('excludedAttributes'))
  return (attribute) => {
    const name = attribute.toLowerCase()
    if (always.includes(name)) return true
    return only.size > 0 ? only.has(name) : !without.has(name)
  }
}

function parseNames(list: string | null): ReadonlySet<string> {
  const names = (list ?? '').toLowerCase().split(',')
  const bare = names.map((name) => name.trim().replace(/^urn:.*:/, ''))
  return new Set(bare.map((name) => name.split('.', 1)[0] ?? '').filter((name) => name !== ''))
}

export function selected(resource: Readonly<Record<string, unknown>>, isWanted: Selection): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(name)))
}
