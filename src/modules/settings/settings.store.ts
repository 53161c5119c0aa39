/** Runtime settings (`proxy_settings`). Writes touch the section `settings`. */
import type { Kysely } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import {
  defaultSettings,
  isSettingKey,
  type SettingKey,
  type Settings,
  settingSpecs,
} from '../../foundation/domain/settings.ts'
import type { SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'

export interface SettingRecord {
  readonly key: SettingKey
  readonly value: unknown
  readonly updatedAt: string
  readonly updatedBy: string
}

/** Keys of other releases and values that do not pass today's check are left out: the default applies. */
export function mergeSettings(
  rows: readonly { readonly key: string; readonly value: unknown }[],
  defaults: Settings = defaultSettings,
): Settings {
  const usable = rows.filter(({ key, value }) => isSettingKey(key) && settingSpecs[key].check(value) === undefined)
  return Object.freeze({ ...defaults, ...Object.fromEntries(usable.map(({ key, value }) => [key, value])) })
}

export function createSettingStore(db: Kysely<Schema>) {
  return {
    read: async (defaults: Settings = defaultSettings): Promise<Settings> =>
      mergeSettings(await db.selectFrom('proxy_settings').select(['key', 'value']).execute(), defaults),

    find: async (key: SettingKey): Promise<SettingRecord | undefined> => {
      const row = await db.selectFrom('proxy_settings').selectAll().where('key', '=', key).executeTakeFirst()
      return row && { key, value: row.value, updatedAt: row.updated_at.toISOString(), updatedBy: row.updated_by }
    },

    put: async (key: SettingKey, value: unknown, updatedBy: string): Promise<SettingRecord> => {
      const values = { value: JSON.stringify(value), updated_at: new Date(), updated_by: updatedBy }
      await db
        .insertInto('proxy_settings')
        .values({ key, ...values })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
        .execute()
      return { key, value, updatedAt: values.updated_at.toISOString(), updatedBy }
    },
  }
}

/** One setting, for the module below whose own routes read and change it. */
export function settingAt<K extends SettingKey>(key: K, defaults: Settings) {
  return (db: Kysely<Schema>) => {
    const settings = createSettingStore(db)
    return {
      read: async (): Promise<Settings[K]> => (await settings.read(defaults))[key],
      put: async (value: Settings[K], updatedBy: string): Promise<void> => {
        await settings.put(key, value, updatedBy)
      },
    }
  }
}

export const readSettingSection: SectionReader<'settings'> = async (tx, { defaults }) => ({
  settings: mergeSettings(await tx.selectFrom('proxy_settings').select(['key', 'value']).execute(), defaults),
})
