/** Forgets sessions and sign-ins whose time has passed. Any instance may do it, also several at once. */

import type { Database } from '../../foundation/database/database.ts'
import { createSessionStore } from './sessions.store.ts'
import { createSignInStore } from './sign-ins.store.ts'

export async function forgetSessions(findDatabase: () => Database | undefined): Promise<void> {
  const database = findDatabase()
  if (database === undefined) return
  await createSessionStore(database.kysely).forgetExpired(Date.now())
  await createSignInStore(database.kysely).forgetExpired(Date.now())
}
