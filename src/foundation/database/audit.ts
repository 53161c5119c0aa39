/** The audit trail: who did what to what, when and from where. Append-only. */
import { type Kysely, sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { containing, type Page, type PageRequest, readPage } from './paging.ts'
import type { Schema } from './schema.ts'

export interface AuditEntry {
  /** Such as `key.revoke`. */
  readonly action: string
  /** What it was done to, such as `key:<id>`; null for sign-ins and the like. */
  readonly target: string | null
  readonly before?: unknown
  readonly after?: unknown
}

/** Who does something, and from where. */
export interface Actor {
  /** The subject of a user, or a name of the gateway itself such as `startup`. */
  readonly name: string
  readonly sourceAddress: string | null
  readonly requestId: string | null
}

export interface AuditRecord {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly target: string | null
  readonly before: unknown
  readonly after: unknown
  readonly sourceAddress: string | null
  readonly requestId: string | null
}

/** A statement has at most 65,535 parameters, and one change of a large group moves thousands of people. */
const ROWS_AT_ONCE = 1_000

/** For sign-ins and refusals, which change nothing else; writes go through `change`. */
export async function appendAudit(db: Kysely<Schema>, actor: Actor, entries: readonly AuditEntry[]): Promise<void> {
  const at = new Date()
  const rows = entries.map((entry) => ({
    id: newId(),
    at,
    actor: actor.name,
    action: entry.action,
    target: entry.target,
    before: jsonOrNull(entry.before),
    after: jsonOrNull(entry.after),
    source_address: actor.sourceAddress,
    request_id: actor.requestId,
  }))
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
    await db
      .insertInto('audit_log')
      .values(rows.slice(first, first + ROWS_AT_ONCE))
      .execute()
}

/** jsonb has no NUL; half a surrogate pair is no text at all. Either would undo the change that is being recorded. */
function jsonOrNull(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\u{fffd}') : part,
  )
}

export interface AuditFilter extends PageRequest {
  readonly ids?: readonly string[] | undefined
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly fromMs?: number
  readonly toMs?: number
}

export function createAuditStore(db: Kysely<Schema>) {
  return {
    append: (actor: Actor, entries: readonly AuditEntry[]) => appendAudit(db, actor, entries),

    list: async (filter: AuditFilter): Promise<Page<AuditRecord>> => {
      let query = db.selectFrom('audit_log').selectAll()
      if (filter.ids !== undefined) query = query.where('id', 'in', [...filter.ids])
      if (filter.actor !== undefined) query = query.where('actor', '=', filter.actor)
      if (filter.action !== undefined) query = query.where('action', '=', filter.action)
      if (filter.target !== undefined) query = query.where('target', '=', filter.target)
      if (filter.fromMs !== undefined) query = query.where('at', '>=', new Date(filter.fromMs))
      if (filter.toMs !== undefined) query = query.where('at', '<', new Date(filter.toMs))
      const pattern = containing(filter.q)
      if (pattern !== undefined)
        query = query.where((eb) =>
          eb.or([eb('actor', 'ilike', pattern), eb('action', 'ilike', pattern), eb('target', 'ilike', pattern)]),
        )
      const sorts = { at: { expression: sql`at`, type: 'timestamptz' } } as const
      return readPage(query, { sorts, defaultSort: '-at', id: sql`id`, idType: 'uuid' }, filter, (row) => ({
        id: row.id,
        at: row.at.toISOString(),
        actor: row.actor,
        action: row.action,
        target: row.target,
        before: row.before,
        after: row.after,
        sourceAddress: row.source_address,
        requestId: row.request_id,
      }))
    },

    /** Retention; the table itself refuses rows that are younger than a day. */
    deleteBefore: async (timeMs: number): Promise<number> => {
      const result = await db.deleteFrom('audit_log').where('at', '<', new Date(timeMs)).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
  }
}
