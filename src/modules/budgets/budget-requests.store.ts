/** Requests of people for more money. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { mentions, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { BudgetRequestTable, Schema } from '../../foundation/database/schema.ts'
import type { BudgetRequestStatus, GrantForm } from '../../foundation/domain/budget-request.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface NewBudgetRequest {
  readonly userId: string
  /** Null when it is for the person's own budget. */
  readonly teamId: string | null
  readonly amountNanoUsd: NanoUsd
  readonly reason: string | null
}

export interface BudgetDecisionMade {
  readonly status: Exclude<BudgetRequestStatus, 'open'>
  readonly decidedBy: string
  readonly note: string | null
  readonly granted: { readonly amountNanoUsd: NanoUsd; readonly as: GrantForm } | null
}

export interface BudgetRequestRecord extends NewBudgetRequest {
  readonly id: string
  readonly status: BudgetRequestStatus
  readonly createdAt: string
  readonly decidedAt: string | null
  readonly decidedBy: string | null
  readonly note: string | null
  readonly granted: BudgetDecisionMade['granted']
}

export interface BudgetRequestFilter extends PageRequest {
  readonly status?: BudgetRequestStatus | undefined
  readonly userId?: string | undefined
  readonly statuses?: readonly BudgetRequestStatus[] | undefined
  readonly userIds?: readonly string[] | undefined
  /** Only what people ask for their own budgets. */
  readonly isOwn?: boolean | undefined
  /** The team that whoever asks is in now. */
  readonly memberOf?: string | undefined
}

type Row = Selectable<BudgetRequestTable>

function toRecord(row: Row): BudgetRequestRecord {
  const { granted_nano_usd: amountNanoUsd, granted_as: form } = row
  return {
    id: row.id,
    userId: row.user_id,
    teamId: row.team_id,
    amountNanoUsd: row.amount_nano_usd,
    reason: row.reason,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by,
    note: row.note,
    granted: amountNanoUsd === null || form === null ? null : { amountNanoUsd, as: form },
  }
}

const order = {
  sorts: {
    created_at: { expression: sql`budget_requests.created_at`, type: 'timestamptz' },
    amount_usd: { expression: sql`budget_requests.amount_nano_usd`, type: 'bigint' },
  },
  defaultSort: '-created_at',
  id: sql`budget_requests.id`,
  idType: 'uuid',
} as const

export function createBudgetRequestStore(db: Kysely<Schema>) {
  return {
    list: (filter: BudgetRequestFilter): Promise<Page<BudgetRequestRecord>> => {
      let query = db
        .selectFrom('budget_requests')
        .innerJoin('users', 'users.id', 'budget_requests.user_id')
        .selectAll('budget_requests')
      if (filter.status !== undefined) query = query.where('budget_requests.status', '=', filter.status)
      if (filter.userId !== undefined) query = query.where('budget_requests.user_id', '=', filter.userId)
      if (filter.statuses !== undefined) query = query.where('budget_requests.status', 'in', [...filter.statuses])
      if (filter.userIds !== undefined) query = query.where('budget_requests.user_id', 'in', [...filter.userIds])
      if (filter.isOwn === true) query = query.where('budget_requests.team_id', 'is', null)
      if (filter.memberOf !== undefined) query = query.where('users.team_id', '=', filter.memberOf)
      const named = mentions([sql`users.subject`, sql`users.email`, sql`budget_requests.reason`], filter.q)
      if (named !== undefined) query = query.where(named)
      return readPage(query, order, filter, toRecord)
    },

    find: async (id: string): Promise<BudgetRequestRecord | undefined> => {
      const row = await db.selectFrom('budget_requests').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toRecord(row)
    },

    /** Held until the transaction ends: whoever decides it too waits, and then finds it decided. */
    lock: async (id: string): Promise<BudgetRequestRecord | undefined> => {
      const row = await db.selectFrom('budget_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return row && toRecord(row)
    },

    /** A second open one of the same person is a ConflictError of `budget_requests_open_unique`. */
    insert: async (request: NewBudgetRequest): Promise<BudgetRequestRecord> => {
      const row = await db
        .insertInto('budget_requests')
        .values({
          id: newId(),
          user_id: request.userId,
          team_id: request.teamId,
          amount_nano_usd: request.amountNanoUsd,
          reason: request.reason,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    decide: async (id: string, decision: BudgetDecisionMade): Promise<BudgetRequestRecord> => {
      const row = await db
        .updateTable('budget_requests')
        .set({
          status: decision.status,
          decided_at: new Date(),
          decided_by: decision.decidedBy,
          note: decision.note,
          granted_nano_usd: decision.granted?.amountNanoUsd ?? null,
          granted_as: decision.granted?.as ?? null,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },
  }
}
