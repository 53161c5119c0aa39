/** Makes the break-glass administrator and the users named in ADMIN_USERS. Existing users are left as they are. */
import type { Config } from '../config/config.ts'
import { toComparableSubject } from '../identity/user-claim.ts'
import type { Logger } from '../platform/logger.ts'
import { change } from '../stores/change.ts'
import type { Database } from '../stores/database.ts'
import { createUserStore, type NewUser } from '../stores/users.ts'
import { startupActor } from './startup-actor.ts'

interface AdminParts {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
}

export async function bootstrapAdmins({ database, config, log }: AdminParts): Promise<void> {
  const wanted: NewUser[] = [
    { subject: config.adminUsername, email: null, role: 'admin', bootstrap: true },
    // In the spelling in which a sign-in is compared.
    ...config.adminUsers
      .map(toComparableSubject)
      .map((subject): NewUser => ({ subject, email: subject.includes('@') ? subject : null, role: 'admin' })),
  ]
  const users = createUserStore(database.kysely)
  const missing: NewUser[] = []
  for (const user of wanted) if ((await users.findNamesake(user.subject)) === undefined) missing.push(user)
  if (missing.length === 0) return
  await change(database, { sections: ['people'], actor: startupActor }, async ({ tx, audit }) => {
    for (const user of missing) {
      const added = await createUserStore(tx).insertUnlessPresent(user)
      if (added === undefined) continue
      audit({ action: 'user.create', target: `user:${added.id}`, after: { subject: added.subject, role: added.role } })
      log.info(
        { user: added.id },
        user.bootstrap === true
          ? 'the bootstrap administrator was created'
          : 'an administrator of ADMIN_USERS was created',
      )
    }
  })
}
