/** Makes the day partitions of the spend log that the next days need. */
import type { Database } from '../../foundation/database/database.ts'
import { createSpendPartitions } from './spend-partitions.store.ts'

const DAYS_BACK = 1
const DAYS_AHEAD = 7
const DAY_MS = 86_400_000

export async function prepareSpendLog({ database }: { readonly database: Database }): Promise<void> {
  const fromDay = new Date(Date.now() - DAYS_BACK * DAY_MS).toISOString().slice(0, 10)
  await createSpendPartitions(database.kysely).ensure(fromDay, DAYS_BACK + 1 + DAYS_AHEAD)
}
