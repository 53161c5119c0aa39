/** From where the keys of the invented company are used: programs from two machines each, people from one. */
import type { Database } from '../../src/foundation/database/database.ts'
import { createKeyAddresses } from '../../src/modules/keys/key-addresses.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { DAY_MS } from './sample/rhythm.ts'
import { DEMO_KEY_NAME, LEAKED_KEY_NAME } from './sample/sample-keys.ts'

const DAYS_IN_USE = 60

export async function writeAddresses(database: Database): Promise<void> {
  const keys = await createKeyStore(database.kysely).list({ limit: 200, sort: 'created_at' })
  const addresses = createKeyAddresses(database.kysely)
  for (const [index, { id: keyId, name, userId, lastUsedAtMs: lastMs }] of keys.data.entries()) {
    if (name === DEMO_KEY_NAME || lastMs === null) continue
    const usual =
      userId === null ? [`198.51.100.${20 + index}`, `198.51.100.${120 + index}`] : [`203.0.113.${10 + index}`]
    await addresses.note(usual.map((address) => ({ keyId, address, atMs: lastMs - DAYS_IN_USE * DAY_MS })))
    // The stranger who read the ticket.
    const seen = name === LEAKED_KEY_NAME ? [...usual, '192.0.2.77'] : usual
    await addresses.note(seen.map((address) => ({ keyId, address, atMs: lastMs })))
  }
}
