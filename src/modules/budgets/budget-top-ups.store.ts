/** Money on top of budgets. Writes touch the section `budgets`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { BudgetTopUpTable, Schema } from '../../foundation/database/schema.ts'
import type { BudgetTopUp } from '../../foundation/domain/budget-top-up.ts'
import { newId } from '../../foundation/platform/ids.ts'
import type { BudgetSubject } from './budgets.store.ts'

export interface NewTopUp extends BudgetSubject, BudgetTopUp {
  readonly reason: string | null
  readonly createdBy: string
}

export interface TopUpRecord extends NewTopUp {
  readonly id: string
  readonly createdAt: string
}

export function toTopUp(row: Selectable<BudgetTopUpTable>): TopUpRecord {
  return {
    id: row.id,
    scope: row.user_id === null ? 'team' : 'user',
    subjectId: row.user_id ?? row.team_id ?? '',
    amountNanoUsd: row.amount_nano_usd,
    endsAtMs: row.ends_at.getTime(),
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
  }
}

const order = {
  sorts: {
    created_at: { expression: sql`created_at`, type: 'timestamptz' },
    ends_at: { expression: sql`ends_at`, type: 'timestamptz' },
    amount_usd: { expression: sql`amount_nano_usd`, type: 'bigint' },
  },
  defaultSort: '-created_at',
  id: sql`id`,
  idType: 'uuid',
} as const

export function createTopUpStore(db: Kysely<Schema>) {
  const ofSubject = ({ scope, subjectId }: BudgetSubject) =>
    db
      .selectFrom('budget_top_ups')
      .selectAll()
      .where(scope === 'user' ? 'user_id' : 'team_id', '=', subjectId)

  return {
    /** Also those that have ended, the newest first. */
    list: (subject: BudgetSubject, request: PageRequest): Promise<Page<TopUpRecord>> =>
      readPage(ofSubject(subject), order, request, toTopUp),

    /** Those that count at this moment. */
    listAt: async (subject: BudgetSubject, atMs: number): Promise<readonly TopUpRecord[]> => {
      const rows = await ofSubject(subject).where('ends_at', '>', new Date(atMs)).execute()
      return rows.map(toTopUp)
    },

    find: async (id: string): Promise<TopUpRecord | undefined> => {
      const row = await db.selectFrom('budget_top_ups').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toTopUp(row)
    },

    /** An unknown user or team is a MissingReferenceError. */
    insert: async (topUp: NewTopUp): Promise<TopUpRecord> => {
      const row = await db
        .insertInto('budget_top_ups')
        .values({
          id: newId(),
          user_id: topUp.scope === 'user' ? topUp.subjectId : null,
          team_id: topUp.scope === 'team' ? topUp.subjectId : null,
          amount_nano_usd: topUp.amountNanoUsd,
          ends_at: new Date(topUp.endsAtMs),
          reason: topUp.reason,
          created_by: topUp.createdBy,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toTopUp(row)
    },

    remove: async (id: string): Promise<void> => {
      await db.deleteFrom('budget_top_ups').where('id', '=', id).execute()
    },
  }
}
