/** Inserts the embedded models and prices. Rows that exist stay as they are (spec: Rules 6). */

import { bumpVersions } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { Price } from '../../foundation/domain/price.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createModelMappingStore } from './model-mappings.store.ts'
import { createModelPriceStore } from './model-prices.store.ts'

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
