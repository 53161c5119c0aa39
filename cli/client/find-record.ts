/** Finds the record that a person means: by id, by its exact name, or by a beginning that only one name has. */

import type { Row } from '../output/render.ts'
import { CliError, usageError } from '../terminal/cli-error.ts'
import type { Client } from './http-client.ts'
import { readAll } from './pages.ts'

export interface Kind {
  /** For people: "key". */
  readonly noun: string
  readonly path: string
  readonly namesOf: (record: Row) => readonly (string | null | undefined)[]
  readonly listCommand: string
}

export const kinds = {
  key: { noun: 'key', path: '/admin/keys', namesOf: (row) => [row.name, row.prefix], listCommand: 'keys list' },
  ownKey: { noun: 'key', path: '/me/keys', namesOf: (row) => [row.name, row.prefix], listCommand: 'me keys list' },
  team: { noun: 'team', path: '/admin/teams', namesOf: (row) => [row.name], listCommand: 'teams list' },
  user: { noun: 'user', path: '/admin/users', namesOf: (row) => [row.subject, row.email], listCommand: 'users list' },
  endpoint: { noun: 'endpoint', path: '/admin/endpoints', namesOf: (row) => [row.name], listCommand: 'endpoints list' },
  idp: {
    noun: 'identity provider',
    path: '/admin/idps',
    namesOf: (row) => [row.name, row.issuer_url],
    listCommand: 'idps list',
  },
} as const satisfies Record<string, Kind>

export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The id; an id that is given is not looked up. */
export async function findId(client: Client, kind: Kind, reference: string): Promise<string> {
  return isId(reference) ? reference : (await findRecord(client, kind, reference)).id
}

export async function findRecord(client: Client, kind: Kind, typed: string): Promise<Row> {
  // As names are kept: some keyboards send a letter and its accent apart.
  const reference = typed.normalize('NFC')
  if (isId(reference)) return client.get(`${kind.path}/${reference}`)
  // The gateway's own search first: a long list is read whole only for names that are not exact.
  const searched = await client.get(kind.path, { q: reference, limit: 200 })
  const named = searched.data.filter((row: Row) => kind.namesOf(row).includes(reference))
  if (named.length === 1 && searched.has_more === false) return named[0]
  const rows = await readAll(client, kind.path)
  const exact = rows.filter((row) => kind.namesOf(row).includes(reference))
  const same = (a: string): boolean => a.toLowerCase() === reference.toLowerCase()
  const loose = rows.filter((row) => kind.namesOf(row).some((name) => typeof name === 'string' && same(name)))
  const begins = rows.filter((row) =>
    kind.namesOf(row).some((name) => name?.toLowerCase().startsWith(reference.toLowerCase()) === true),
  )
  // What was revoked stays in the list under its old name; the one in use is meant.
  for (const found of [exact, exact.filter(isInUse), loose, loose.filter(isInUse), begins, begins.filter(isInUse)])
    if (found.length === 1) return found[0]
  const several = [exact, loose, begins].find((found) => found.length > 1)
  if (several !== undefined)
    throw usageError(
      `"${reference}" could be any of ${several.length} ${kind.noun}s: ${several
        .slice(0, 5)
        .map((row) => `${kind.namesOf(row)[0]} (${row.id})`)
        .join(', ')}${several.length > 5 ? ' …' : ''}`,
      'use the id',
    )
  throw notFound(kind, reference, rows)
}

/** Only an id or an exact name, where guessing would be dangerous. */
export async function findExactId(client: Client, kind: Kind, reference: string): Promise<string> {
  if (isId(reference)) return reference
  const rows = await readAll(client, kind.path)
  const found = rows.filter((row) => kind.namesOf(row).includes(reference))
  if (found.length === 1) return found[0].id
  throw usageError(
    `"${reference}" is neither an id nor the exact name of an ${kind.noun}`,
    `causeway ${kind.listCommand}`,
  )
}

function isInUse(row: Row): boolean {
  return row.status === undefined || row.status === 'active'
}

function notFound(kind: Kind, reference: string, rows: readonly Row[]): CliError {
  const names = rows.flatMap((row) => kind.namesOf(row)).filter((name) => typeof name === 'string')
  const near = nearest(reference, names)
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`
  return new CliError(`${kind.noun} "${reference}" not found${hint}`, {
    exit: 'notFound',
    next: `causeway ${kind.listCommand}`,
  })
}

/** The name with the fewest changed letters, if there are few enough. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const wanted = text.toLowerCase()
  const scored = names
    .map((name) => ({
      name,
      distance: name.toLowerCase().includes(wanted) ? 0.5 : measureDistance(wanted, name.toLowerCase()),
    }))
    .filter(({ distance, name }) => distance <= Math.max(2, Math.min(wanted.length, name.length) / 3))
    .sort((a, b) => a.distance - b.distance)
  return scored[0]?.name
}

function measureDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(changed, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
