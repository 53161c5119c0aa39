/** Stores models that a call has discovered, so that every instance knows them. */
import { bumpVersions } from '../../foundation/database/change.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createModelMappingStore } from './model-mappings.store.ts'

/** True once the pair is stored and in this instance's snapshot. */
export type KeepMapping = (mapping: ModelMapping) => Promise<boolean>

export function createKeepMapping(
  link: Pick<DatabaseLink, 'find'>,
  reload: () => Promise<void>,
  log: Logger,
): KeepMapping {
  return async (mapping) => {
    const database = link.find()
    if (database === undefined) return false
    try {
      await database.kysely.transaction().execute(async (tx) => {
        const count = await createModelMappingStore(tx).insertUnlessPresent([mapping])
        if (count > 0) await bumpVersions(tx, ['mappings'])
      })
      // Also when another instance stored it first: the answer promises that the snapshot has it.
      await reload()
      return true
    } catch (error) {
      // failure-modes: side write failed. The call goes on, and the next discovery tries again.
      log.warn({ err: error }, 'a discovered model could not be stored')
      return false
    }
  }
}
