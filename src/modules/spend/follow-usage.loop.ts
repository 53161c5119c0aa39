/** Counts what was stored since the last look, and tells when records could not be counted. */

import type { Database } from '../../foundation/database/database.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { catchUpUsage, countSetAside } from './usage/usage-rollup.store.ts'

export interface FollowPorts {
  readonly database: () => Database | undefined
  readonly log: Logger
}

export function createUsageFollower({ database: find, log }: FollowPorts) {
  let known = { records: 0, periods: 0 }
  return {
    follow: async (): Promise<void> => {
      const database = find()
      if (database === undefined) return
      await catchUpUsage(database.kysely)
      const { records, periods } = await countSetAside(database.kysely)
      // Whoever asks for a chart may have been the one to set them aside, so the number says it and not the deed.
      if (records > known.records)
        log.error(
          { records, added: records - known.records },
          'spend records are in no chart: the database refuses their sums',
        )
      if (periods > known.periods)
        log.error(
          { periods, added: periods - known.periods },
          'sums of days cannot be put together: the database refuses them; charts read the days',
        )
      known = { records, periods }
    },
    uncounted: () => known.records,
    unclosed: () => known.periods,
  }
}
