/** Checks path, query and body against a route's schemas and names every mistake. */
import type { ZodType } from 'zod'
import { problem } from '../domain/errors.ts'
import { mistakesIn, wordsFor } from '../platform/schema-mistakes.ts'

type Place = 'path' | 'query' | 'body'

export function validated(schema: ZodType | undefined, value: unknown, place: Place): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(place === 'body' ? value : (value ?? {}), { error: wordsFor })
  if (result.success) return result.data
  if (place === 'body' && value === undefined) throw problem('invalid_json', { reason: 'the body is empty' })
  const details = mistakesIn(result.error.issues)
  const first = details[0] ?? { path: place, message: 'is not valid' }
  if (place === 'path') throw problem('invalid_id', { name: first.path }, { details })
  const name = first.path === '' ? place : first.path
  throw problem(
    place === 'body' ? 'invalid_body' : 'invalid_parameter',
    place === 'body' ? { reason: `${name}: ${first.message}` } : { name, reason: first.message },
    { details },
  )
}
