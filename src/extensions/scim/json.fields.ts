/** Reads JSON of unknown shape as providers write it: names in any case, values now and then wrapped or as text. */

import { text } from '../../foundation/http/fields.ts'
import { invalidValue, ScimFailure } from './scim-failure.ts'

export type Fields = ReadonlyMap<string, unknown>

/** By lower-case name. */
export function requireFields(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimFailure(400, `${what} must be a JSON object.`, 'invalidSyntax')
  return new Map(Object.entries(value).map(([name, part]) => [name.toLowerCase(), part]))
}

/** Null for a value that is absent, null or empty. */
export function readText(value: unknown, what: string, maxLength: number): string | null {
  const bare = unwrapped(value)
  if (bare === undefined || bare === null || (typeof bare === 'string' && bare.trim() === '')) return null
  const result = text(maxLength).safeParse(bare)
  if (!result.success) throw invalidValue(`${what} must have 1 to ${maxLength} characters and no control characters.`)
  return result.data
}

export function readBoolean(value: unknown, what: string): boolean {
  const bare = unwrapped(value)
  if (typeof bare === 'boolean') return bare
  const word = typeof bare === 'string' ? bare.trim().toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidValue(`${what} must be true or false.`)
  return word === 'true'
}

/** Older Entra sends `[{"value": x}]` for a plain attribute. */
function unwrapped(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const [only, ...others] = value as unknown[]
  if (others.length > 0 || typeof only !== 'object' || only === null || !('value' in only)) return value
  return only.value
}
