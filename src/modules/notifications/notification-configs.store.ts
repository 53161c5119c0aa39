/** The draft and the active notification destination. Writes take one lock, so that they follow each other. */
import { createHash } from 'node:crypto'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { NotificationConfigTable, Schema } from '../../foundation/database/schema.ts'
import type { CategoryFlags, Destination } from '../../foundation/domain/notification-destination.ts'

export type ConfigSlot = 'active' | 'draft'

export interface NotificationConfig extends Destination {
  /** Sealed for the origin of the address. */
  readonly secret: Buffer | null
  readonly categories: CategoryFlags
  /** When this very destination was last tested with success; null when it never was. */
  readonly testedAt: string | null
  /** Changes with everything that a test would try. */
  readonly fingerprint: string
  readonly updatedAt: string
  readonly updatedBy: string
}

export interface DraftValues extends Destination {
  readonly secret: Buffer | null
  readonly categories: CategoryFlags
  readonly updatedBy: string
}

const CONFIG_LOCK = 7_310_204

export function createNotificationConfigStore(db: Kysely<Schema>) {
  const find = async (slot: ConfigSlot): Promise<NotificationConfig | undefined> => {
    const row = await db.selectFrom('notification_configs').selectAll().where('slot', '=', slot).executeTakeFirst()
    return row === undefined ? undefined : toConfig(row)
  }

  return {
    find,

    /** In one statement, so that an activation is seen whole or not at all. */
    findBoth: async (): Promise<Readonly<Record<ConfigSlot, NotificationConfig | null>>> => {
      const rows = await db.selectFrom('notification_configs').selectAll().execute()
      const inSlot = (slot: ConfigSlot): NotificationConfig | null => {
        const row = rows.find((one) => one.slot === slot)
        return row === undefined ? null : toConfig(row)
      }
      return { active: inSlot('active'), draft: inSlot('draft') }
    },

    /** Until the end of the transaction: nobody else writes, so what was read stays true. */
    lock: async (): Promise<void> => {
      await sql`select pg_advisory_xact_lock(${CONFIG_LOCK})`.execute(db)
    },

    putDraft: async (values: DraftValues): Promise<NotificationConfig> => {
      const columns = {
        destination_type: values.type,
        destination: values.address,
        secret: values.secret,
        budget: values.categories.budget,
        rate_limit: values.categories.rate_limit,
        keys: values.categories.keys,
        digest: values.categories.digest,
        updated_at: new Date(),
        updated_by: values.updatedBy,
      }
      const row = await db
        .insertInto('notification_configs')
        .values({ slot: 'draft', ...columns })
        .onConflict((conflict) => conflict.column('slot').doUpdateSet(columns))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toConfig(row)
    },

    /** Says nothing when the draft has become another while the test ran. */
    markTested: async (fingerprint: string): Promise<void> => {
      const draft = await find('draft')
      if (draft?.fingerprint !== fingerprint) return
      await db
        .updateTable('notification_configs')
        .set({ tested_fingerprint: fingerprint, tested_at: sql<Date>`now()` })
        .where('slot', '=', 'draft')
        .execute()
    },

    activateDraft: async (updatedBy: string): Promise<NotificationConfig> => {
      await db.deleteFrom('notification_configs').where('slot', '=', 'active').execute()
      const row = await db
        .updateTable('notification_configs')
        .set({ slot: 'active', updated_at: new Date(), updated_by: updatedBy })
        .where('slot', '=', 'draft')
        .returningAll()
        .executeTakeFirstOrThrow()
      return toConfig(row)
    },

    setCategories: async (categories: CategoryFlags, updatedBy: string): Promise<NotificationConfig> => {
      const row = await db
        .updateTable('notification_configs')
        .set({ ...categories, updated_at: new Date(), updated_by: updatedBy })
        .where('slot', '=', 'active')
        .returningAll()
        .executeTakeFirstOrThrow()
      return toConfig(row)
    },

    remove: async (slot: ConfigSlot): Promise<void> => {
      await db.deleteFrom('notification_configs').where('slot', '=', slot).execute()
    },
  }
}

function toConfig(row: Selectable<NotificationConfigTable>): NotificationConfig {
  const fingerprint = computeFingerprint(row)
  return {
    type: row.destination_type,
    address: row.destination,
    secret: row.secret,
    categories: { budget: row.budget, rate_limit: row.rate_limit, keys: row.keys, digest: row.digest },
    testedAt: row.tested_fingerprint === fingerprint ? (row.tested_at?.toISOString() ?? null) : null,
    fingerprint,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  }
}

/** From the sealed secret: a secret that is sent again is sealed anew, and has to be tested anew. */
function computeFingerprint(row: Selectable<NotificationConfigTable>): string {
  const secret = row.secret?.toString('base64') ?? ''
  return createHash('sha256')
    .update(JSON.stringify([row.destination_type, row.destination, secret]))
    .digest('hex')
}
