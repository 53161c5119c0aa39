/** The keys of a user who changes teams. */
import type { Change } from '../../foundation/database/change.ts'
import type { TeamMove } from '../people/people-ports.ts'
import { createKeyStore } from './keys.store.ts'

const KEYS_AT_ONCE = 200

/** A key that names its owner's team goes along; one that an administrator gave to another team stays there. */
export async function moveKeys(tx: Change['tx'], { userId, from, to }: TeamMove): Promise<void> {
  const keys = createKeyStore(tx)
  for (;;) {
    const { data, has_more: more } = await keys.list({ userId, teamId: from, limit: KEYS_AT_ONCE })
    for (const key of data) await keys.update(key.id, { teamId: to })
    if (!more) return
  }
}
