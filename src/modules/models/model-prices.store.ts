/** Prices by model, scope and source. Writes touch the section `prices`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { PriceTable, Schema } from '../../foundation/database/schema.ts'
import type { Price, PriceScope, PriceSource } from '../../foundation/domain/price.ts'
import { frozenMap, type SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'

export type NewPrice = Omit<Price, 'updatedAt'>

/** An administrator knows the contract, the price list knows today, the seed knows the day of the release. */
const precedence: Readonly<Record<PriceSource, number>> = { admin: 0, price_list: 1, seed: 2 }

export function toPrice(row: Selectable<PriceTable>): Price {
  return {
    modelId: row.model_id,
    scope: row.scope,
    rates: {
      input: row.input,
      output: row.output,
      cacheRead: row.cache_read,
      cacheWrite5m: row.cache_write_5m,
      cacheWrite1h: row.cache_write_1h,
    },
    longContext: row.long_context,
    source: row.source,
    updatedAt: row.updated_at.toISOString(),
  }
}

function priceKey(scope: PriceScope, modelId: string): string {
  return `${scope}:${modelId}`
}

/** One price for each scope and model: the source that wins. */
export function winningPrices(prices: Iterable<Price>): Map<string, Price> {
  const winners = new Map<string, Price>()
  for (const price of prices) {
    const key = priceKey(price.scope, price.modelId)
    const other = winners.get(key)
    if (other === undefined || precedence[price.source] < precedence[other.source]) winners.set(key, price)
  }
  // What an administrator says of every region holds in GovCloud too, unless there is a word on GovCloud itself.
  for (const { modelId, scope, source } of [...winners.values()])
    if (scope === 'geo' && source === 'admin' && winners.get(priceKey('us-gov', modelId))?.source !== 'admin')
      winners.delete(priceKey('us-gov', modelId))
  return winners
}

function toRow(price: NewPrice) {
  return {
    model_id: price.modelId,
    scope: price.scope,
    source: price.source,
    input: price.rates.input,
    output: price.rates.output,
    cache_read: price.rates.cacheRead,
    cache_write_5m: price.rates.cacheWrite5m,
    cache_write_1h: price.rates.cacheWrite1h,
    long_context: price.longContext === null ? null : JSON.stringify(price.longContext),
    updated_at: new Date(),
  }
}

export function createModelPriceStore(db: Kysely<Schema>) {
  return {
    /** Every stored price, also those that another source overrules. */
    list: async (): Promise<readonly Price[]> => {
      const rows = await db
        .selectFrom('model_prices')
        .selectAll()
        .orderBy('model_id')
        .orderBy('scope')
        .orderBy('source')
        .execute()
      return rows.map(toPrice)
    },

    /** Writes only what differs, so that `updatedAt` tells when a price really changed. Returns how many did. */
    put: async (prices: readonly NewPrice[]): Promise<number> => {
      let changed = 0
      for (const price of prices) {
        const row = toRow(price)
        const { model_id: _model, scope: _scope, source: _source, ...values } = row
        const result = await db
          .insertInto('model_prices')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['model_id', 'scope', 'source'])
              .doUpdateSet(values)
              .where(
                sql<boolean>`(model_prices.input, model_prices.output, model_prices.cache_read,
                  model_prices.cache_write_5m, model_prices.cache_write_1h, model_prices.long_context)
                  is distinct from (excluded.input, excluded.output, excluded.cache_read,
                  excluded.cache_write_5m, excluded.cache_write_1h, excluded.long_context)`,
              ),
          )
          .executeTakeFirst()
        changed += Number(result.numInsertedOrUpdatedRows ?? 0n)
      }
      return changed
    },

    remove: async (modelId: string, source: PriceSource, scope?: PriceScope): Promise<number> => {
      let query = db.deleteFrom('model_prices').where('model_id', '=', modelId).where('source', '=', source)
      if (scope !== undefined) query = query.where('scope', '=', scope)
      return Number((await query.executeTakeFirst()).numDeletedRows)
    },
  }
}

export type ModelPriceStore = ReturnType<typeof createModelPriceStore>

export const readPriceSection: SectionReader<'prices'> = async (tx) => {
  const rows = await tx.selectFrom('model_prices').selectAll().execute()
  return { prices: frozenMap(winningPrices(rows.map((row) => Object.freeze(toPrice(row))))) }
}
