/** A migrated and filled database with one key that may call. */

import { change } from '../../src/foundation/database/change.ts'
import { openDatabase } from '../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../src/foundation/database/migrate.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { fill } from './fill.ts'

export interface Prepared {
  readonly rows: number
  readonly key: string
  readonly team: string
  readonly user: string
}

const DAYS = 90
const DAY_MS = 86_400_000

export async function prepareDatabase(url: string, rows: number, say: (line: string) => void): Promise<Prepared> {
  const database = await openDatabase({ kind: 'url', url, statementTimeoutMs: 600_000 })
  try {
    await migrateToLatest(database)
    const { rows: found } = await database.pool.query<{ count: number }>('select count(*) from spend_log')
    if ((found[0]?.count ?? 0) === 0) {
      const nowMs = Date.now()
      const firstDay = new Date(nowMs - DAYS * DAY_MS).toISOString().slice(0, 10)
      await createSpendPartitions(database.kysely).ensure(firstDay, DAYS + 3)
      await fill(database, { rows, days: DAYS, people: 1_000, nowMs, say })
    }
    // The gateway makes a default endpoint of its own only where there is none at all.
    await database.pool.query(
      `update endpoints set is_default = true where name = 'us-west-2'
        and not exists (select from endpoints where is_default)`,
    )
    const { rows: stored } = await database.pool.query<{ count: number; team: string; person: string }>(
      `select (select count(*) from spend_log), (select name from teams order by name limit 1) as team,
        (select subject from users where role = 'member' order by subject limit 1) as person`,
    )
    const [one] = stored
    return { rows: one?.count ?? 0, key: await addKey(database), team: one?.team ?? '', user: one?.person ?? '' }
  } finally {
    await database.close()
  }
}

async function addKey(database: Awaited<ReturnType<typeof openDatabase>>): Promise<string> {
  const { key, hash, prefix } = makeVirtualKey()
  const actor = { name: 'bench', sourceAddress: null, requestId: null }
  await change(database, { sections: ['keys'], actor }, async ({ tx }) => {
    await createKeyStore(tx).insert({
      name: 'bench',
      hash,
      prefix,
      userId: null,
      teamId: null,
      rateLimitRpm: null,
      allowedModels: null,
      expiresAtMs: null,
      createdBy: 'bench',
    })
  })
  return key
}
