/** Budgets of users and teams. Writes touch the section `budgets`. */
import type { Kysely, Selectable } from 'kysely'
import type { BudgetTable, Schema } from '../../foundation/database/schema.ts'
import type { Budget } from '../../foundation/domain/budget.ts'
import { newId, timeOfId } from '../../foundation/platform/ids.ts'

export interface BudgetRecord extends Budget {
  /** The preset that the rules came from; null for own rules. */
  readonly policy: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type BudgetSubject = Pick<Budget, 'scope' | 'subjectId'>

type Row = Selectable<BudgetTable>

export function toBudget(row: Row): Budget {
  return {
    scope: row.user_id === null ? 'team' : 'user',
    subjectId: row.user_id ?? row.team_id ?? '',
    limitNanoUsd: row.limit_nano_usd,
    period: row.period,
    rules: row.rules,
    memberLimitNanoUsd: row.member_limit_nano_usd,
  }
}

function toRecord(row: Row): BudgetRecord {
  return {
    ...toBudget(row),
    policy: row.policy,
    createdAt: new Date(timeOfId(row.id)).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function findColumn(subject: BudgetSubject): 'user_id' | 'team_id' {
  return subject.scope === 'user' ? 'user_id' : 'team_id'
}

export function createBudgetStore(db: Kysely<Schema>) {
  return {
    find: async (subject: BudgetSubject): Promise<BudgetRecord | undefined> => {
      const row = await db
        .selectFrom('budgets')
        .selectAll()
        .where(findColumn(subject), '=', subject.subjectId)
        .executeTakeFirst()
      return row && toRecord(row)
    },

    list: async (): Promise<readonly BudgetRecord[]> => {
      const rows = await db.selectFrom('budgets').selectAll().orderBy('updated_at', 'desc').orderBy('id').execute()
      return rows.map(toRecord)
    },

    /** An unknown user or team is a MissingReferenceError. */
    put: async (budget: Budget & { readonly policy: string | null }): Promise<BudgetRecord> => {
      const column = findColumn(budget)
      // First, since it tells when the budget was made, which is not after it was changed.
      const id = newId()
      const values = {
        limit_nano_usd: budget.limitNanoUsd,
        period: budget.period,
        policy: budget.policy,
        rules: JSON.stringify(budget.rules),
        member_limit_nano_usd: budget.memberLimitNanoUsd,
        updated_at: new Date(),
      }
      const row = await db
        .insertInto('budgets')
        .values({
          id,
          user_id: budget.scope === 'user' ? budget.subjectId : null,
          team_id: budget.scope === 'team' ? budget.subjectId : null,
          ...values,
        })
        .onConflict((conflict) => conflict.column(column).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    remove: async (subject: BudgetSubject): Promise<boolean> => {
      const result = await db
        .deleteFrom('budgets')
        .where(findColumn(subject), '=', subject.subjectId)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}
