/** The delivery history of notifications: every attempt, the newest thousand of them. It keeps where, not the whole address. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { DestinationType } from '../../foundation/domain/notification-destination.ts'
import { shownAddress } from '../../foundation/domain/shown-address.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface NewDelivery {
  readonly eventId: string
  readonly eventType: string
  readonly destinationType: DestinationType
  readonly destination: string
  readonly status: 'delivered' | 'failed'
  readonly attempt: number
  readonly responseStatus: number | null
  readonly error: string | null
  readonly durationMs: number
}

export interface Delivery extends NewDelivery {
  readonly id: string
  readonly createdAt: string
}

export const KEPT_DELIVERIES = 1_000

export function createDeliveryStore(db: Kysely<Schema>) {
  return {
    append: async (delivery: NewDelivery): Promise<void> => {
      await db
        .insertInto('notification_deliveries')
        .values({
          id: newId(),
          event_id: delivery.eventId,
          event_type: delivery.eventType,
          destination_type: delivery.destinationType,
          destination: shownAddress(delivery.destination),
          status: delivery.status,
          attempt: delivery.attempt,
          response_status: delivery.responseStatus,
          // Postgres text has no NUL, and half a surrogate pair is no text at all.
          error: delivery.error?.toWellFormed().replaceAll('\0', '\u{fffd}') ?? null,
          duration_ms: Math.round(delivery.durationMs),
        })
        .execute()
    },

    /** Newest first. */
    list: async (): Promise<readonly Delivery[]> => {
      const rows = await db
        .selectFrom('notification_deliveries')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(KEPT_DELIVERIES)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        eventId: row.event_id,
        eventType: row.event_type,
        destinationType: row.destination_type,
        // Rows of earlier releases have it whole.
        destination: shownAddress(row.destination),
        status: row.status,
        attempt: row.attempt,
        responseStatus: row.response_status,
        error: row.error,
        durationMs: row.duration_ms,
        createdAt: row.created_at.toISOString(),
      }))
    },

    forgetOld: async (): Promise<void> => {
      await sql`
        delete from notification_deliveries where (created_at, id) <= (
          select created_at, id from notification_deliveries order by created_at desc, id desc offset ${KEPT_DELIVERIES} limit 1
        )`.execute(db)
    },
  }
}
