/** Inserts the embedded models and prices. Rows that exist stay as they are (spec: Rules 6). */
import type { ModelMapping } from '../domain/model-mapping.ts'
import type { Price } from '../domain/price.ts'
import type { Logger } from '../platform/logger.ts'
import { bumpVersions } from '../stores/change.ts'
import type { Database } from '../stores/database.ts'
import { createModelMappingStore } from '../stores/model-mappings.ts'
import { createModelPriceStore } from '../stores/model-prices.ts'

interface SeedParts {
  readonly database: Database
  readonly log: Logger
  readonly seed: { readonly mappings: readonly ModelMapping[]; readonly prices: readonly Price[] }
}

export async function seedModels({ database, log, seed }: SeedParts): Promise<void> {
  await database.kysely.transaction().execute(async (tx) => {
    const models = await createModelMappingStore(tx).insertUnlessPresent(seed.mappings)
    const prices = await createModelPriceStore(tx).put(seed.prices)
    // A start without news must not make every other instance reload.
    if (models > 0) await bumpVersions(tx, ['mappings'])
    if (prices > 0) await bumpVersions(tx, ['prices'])
    if (models + prices > 0) log.info({ models, prices }, 'embedded models and prices were added')
  })
}
