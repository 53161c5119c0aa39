/** Checks path, query and body against a route's schemas and names every mistake. */
import type { ZodError, ZodType } from 'zod'
import { type ProblemDetail, problem } from '../domain/errors.ts'

type Place = 'path' | 'query' | 'body'

export function validated(schema: ZodType | undefined, value: unknown, place: Place): unknown {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value ?? (place === 'body' ? undefined : {}))
  if (result.success) return result.data
  if (place === 'body' && value === undefined) throw problem('invalid_json', { reason: 'the body is empty' })
  const details = detailsOf(result.error)
  const first = details[0] ?? { path: place, message: 'is not valid' }
  if (place === 'path') throw problem('invalid_id', { name: first.path }, { details })
  const name = first.path === '' ? place : first.path
  throw problem(
    place === 'body' ? 'invalid_body' : 'invalid_parameter',
    place === 'body' ? { reason: `${name}: ${first.message}` } : { name, reason: first.message },
    { details },
  )
}

function detailsOf(error: ZodError): ProblemDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      message: 'There is no such field here.',
    }))
  })
}
