/** What was spent by whom, from the sums that the spend log keeps; and what instances hold of budgets. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { catchUpUsage } from '../spend/usage/usage-rollup.store.ts'

/** One subject's spend in one period. */
export interface SpendAccount {
  /** Names subject and period; the same on every instance. */
  readonly key: string
  readonly scope: 'user' | 'team'
  readonly subjectId: string
  readonly startMs: number
  readonly endMs: number
}

export interface BudgetAsk {
  readonly account: SpendAccount
  readonly instanceId: string
  /** What this instance has running or not yet stored. */
  readonly keepNanoUsd: NanoUsd
  /** One estimate for each call that wants in, in order. */
  readonly wantedNanoUsd: readonly NanoUsd[]
  readonly limitNanoUsd: NanoUsd
  /** Wished for on top, so that the next calls need not ask; given only far from the limit. */
  readonly roomNanoUsd: NanoUsd
}

export interface BudgetAnswer {
  readonly spentNanoUsd: NanoUsd
  readonly othersNanoUsd: NanoUsd
  readonly leasedNanoUsd: NanoUsd
  /** How many of the wanted calls, from the first. */
  readonly admitted: number
}

export interface LeaseChange {
  readonly account: SpendAccount
  readonly leasedNanoUsd: NanoUsd
}

export type AccountSpend = Pick<BudgetAnswer, 'spentNanoUsd' | 'othersNanoUsd'>

export interface DaySpend {
  /** In UTC, such as 2026-11-17. */
  readonly day: string
  readonly spentNanoUsd: NanoUsd
}

/** The leases of an instance that died are free again after it. */
const LEASE_SECONDS = 15

export function createBudgetSpend(db: Kysely<Schema>) {
  return {
    take: async (ask: BudgetAsk): Promise<BudgetAnswer> => {
      const { account } = ask
      const wanted = `{${ask.wantedNanoUsd.map(whole).join(',')}}`
      const { rows } = await sql<Record<'spent_nano' | 'others_nano' | 'leased_nano' | 'admitted', number>>`
        select * from take_budget(
          ${account.key}, ${account.scope}, ${account.subjectId}::uuid, ${toDay(account.startMs)}::date,
          ${toDay(account.endMs)}::date, ${ask.instanceId}::uuid, ${whole(ask.keepNanoUsd)}::bigint,
          ${wanted}::bigint[], ${whole(ask.limitNanoUsd)}::bigint, ${whole(ask.roomNanoUsd)}::bigint,
          ${LEASE_SECONDS}::float8)`.execute(db)
      const row = rows[0]
      if (row === undefined) throw new Error('take_budget gave no row')
      return {
        spentNanoUsd: row.spent_nano,
        othersNanoUsd: row.others_nano,
        leasedNanoUsd: row.leased_nano,
        admitted: row.admitted,
      }
    },

    /**
     * Lowers the leases of an instance to what is given and keeps them alive. Needs no lock: a lease that falls only
     * makes room, and what it covered is in the sums before.
     */
    keepLeases: async (instanceId: string, changes: readonly LeaseChange[]): Promise<void> => {
      if (changes.length === 0) return
      const keys = changes.map(({ account }) => account.key)
      const amounts = `{${changes.map(({ leasedNanoUsd }) => whole(leasedNanoUsd)).join(',')}}`
      await sql`
        update budget_leases set
          leased_nano_usd = least(budget_leases.leased_nano_usd, change.leased),
          expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)
        from unnest(${keys}::text[], ${amounts}::bigint[]) as change (account, leased)
        where budget_leases.account = change.account and instance_id = ${instanceId}::uuid`.execute(db)
    },

    /** In the order of the question. */
    read: async (accounts: readonly SpendAccount[], instanceId: string): Promise<readonly AccountSpend[]> => {
      if (accounts.length === 0) return []
      const { rows } = await sql<{ spent: number; others: number }>`
        select
          (select coalesce(sum(spent_nano_usd), 0) from spend_days
            where spend_days.scope = asked.scope and spend_days.subject_id = asked.subject_id
            and day >= asked.from_day and day < asked.to_day) as spent,
          (select coalesce(sum(leased_nano_usd), 0) from budget_leases
            where budget_leases.account = asked.account and instance_id <> ${instanceId}::uuid
            and expires_at > clock_timestamp()) as others
        from unnest(
          ${accounts.map(({ key }) => key)}::text[], ${accounts.map(({ scope }) => scope)}::text[],
          ${accounts.map(({ subjectId }) => subjectId)}::uuid[], ${accounts.map(({ startMs }) => toDay(startMs))}::date[],
          ${accounts.map(({ endMs }) => toDay(endMs))}::date[]
        ) with ordinality as asked (account, scope, subject_id, from_day, to_day, place)
        order by place`.execute(db)
      return rows.map(({ spent, others }) => ({ spentNanoUsd: spent, othersNanoUsd: others }))
    },

    /** By the subject, oldest day first; days without spend are not in the answer. */
    spendByDay: async (
      subjects: readonly Pick<SpendAccount, 'scope' | 'subjectId'>[],
      sinceMs: number,
    ): Promise<ReadonlyMap<string, readonly DaySpend[]>> => {
      const { rows } = await sql<{ id: string; day: string; spent: number }>`
        select subject_id as id, to_char(day, 'YYYY-MM-DD') as day, spent_nano_usd as spent from spend_days
        join unnest(
          ${subjects.map(({ scope }) => scope)}::text[], ${subjects.map(({ subjectId }) => subjectId)}::uuid[]
        ) as asked (scope, subject_id) using (scope, subject_id)
        where spend_days.day >= ${toDay(sinceMs)}::date
        order by day`.execute(db)
      return Map.groupBy(
        rows.map(({ id, day, spent }) => ({ id, day, spentNanoUsd: spent })),
        ({ id }) => id,
      )
    },

    /** Keys without spend are not in the answer. */
    spendOfKeys: async (keyIds: readonly string[], sinceMs: number): Promise<ReadonlyMap<string, NanoUsd>> => {
      await catchUpUsage(db)
      const { rows } = await sql<{ id: string; spent: number }>`
        select subject_id as id, sum(spent_nano_usd) as spent from spend_days
        where scope = 'key' and subject_id = any(${keyIds}::uuid[]) and day >= ${toDay(sinceMs)}::date
        group by subject_id`.execute(db)
      return new Map(rows.map(({ id, spent }) => [id, spent]))
    },

    forgetInstance: async (instanceId: string): Promise<void> => {
      await sql`delete from budget_leases where instance_id = ${instanceId}::uuid`.execute(db)
    },

    forgetExpired: async (): Promise<void> => {
      await sql`delete from budget_leases where expires_at < clock_timestamp() - interval '1 minute'`.execute(db)
    },
  }
}

const DAY_MS = 86_400_000
/** Longer than the longest period of a budget. */
const PERIOD_DAYS = 32

/** The running period of a budget needs its sums, however short records are kept. */
export async function forgetOldBudgetSpend(
  db: Kysely<Schema>,
  { nowMs, spendDays }: { readonly nowMs: number; readonly spendDays: number },
): Promise<void> {
  const firstDay = toDay(nowMs - Math.max(spendDays, PERIOD_DAYS) * DAY_MS)
  await sql`delete from spend_days where day < ${firstDay}::date`.execute(db)
}

export type BudgetSpend = ReturnType<typeof createBudgetSpend>

function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

function whole(amount: NanoUsd): string {
  return String(Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(amount))))
}
