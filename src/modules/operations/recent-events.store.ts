/** What happened lately on any instance, for those who watch: calls, notifications, changes. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { LiveEvent } from '../../foundation/domain/live-event.ts'
import type { NotificationEvent } from '../../foundation/domain/notification.ts'
import { joinedSpend } from '../spend/spend-log.store.ts'
import { toSpendRecord } from '../spend/stored-spend.store.ts'

export interface RecentEvent {
  /** The same each time it is read. */
  readonly id: string
  readonly event: LiveEvent
}

/** As many as a viewer can be shown in some seconds; of more, the newest. */
const MOST = 50

export function createRecentEvents(db: Kysely<Schema>) {
  return {
    /** Oldest first. `sinceMs` reaches back far enough for rows that were committed late. */
    read: async (sinceMs: number): Promise<readonly RecentEvent[]> => {
      const since = new Date(sinceMs)
      const [calls, notices, changes] = [
        await readCalls(db, since),
        await readNotices(db, since),
        await readChanges(db, since),
      ]
      return [...calls, ...notices, ...changes]
    },
  }
}

async function readCalls(db: Kysely<Schema>, since: Date): Promise<readonly RecentEvent[]> {
  const rows = await joinedSpend(db)
    .where('spend_log.at', '>=', since)
    .orderBy('spend_log.at', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(toSpendRecord).reverse().map(callEvent)
}

export function callEvent(record: Extract<LiveEvent, { topic: 'requests' }>['record']): RecentEvent {
  return { id: `${record.requestId} ${record.round}`, event: { topic: 'requests', record } }
}

async function readNotices(db: Kysely<Schema>, since: Date): Promise<readonly RecentEvent[]> {
  const { rows } = await sql<{ id: string; event: NotificationEvent }>`
    select id, event from notification_outbox where created_at >= ${since} order by created_at desc limit ${MOST}`.execute(
    db,
  )
  return rows.reverse().map(({ id, event }) => ({ id, event: { topic: 'budgets', event } }))
}

async function readChanges(db: Kysely<Schema>, since: Date): Promise<readonly RecentEvent[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor', 'action', 'target'])
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(MOST)
    .execute()
  return rows.reverse().map(({ id, at, actor, action, target }) => ({
    id,
    event: { topic: 'settings', at: at.toISOString(), actor, action, target },
  }))
}
