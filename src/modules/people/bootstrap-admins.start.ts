/** Makes the break-glass administrator and the users named in ADMIN_USERS. Other users are left as they are. */
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { startupActor } from '../../foundation/database/startup-actor.ts'
import { comparableSubject } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createUserStore, type NewUser } from './users.store.ts'

interface AdminParts {
  readonly database: Database
  readonly adminUsername: string
  readonly adminUsers: readonly string[]
  readonly log: Logger
}

export async function bootstrapAdmins(parts: AdminParts): Promise<void> {
  const { database, adminUsername, log } = parts
  const users = createUserStore(database.kysely)
  const missing: NewUser[] = []
  const bootstrap = await users.findBootstrap()
  if (bootstrap !== undefined && bootstrap.subject !== adminUsername) await rename(bootstrap, parts)
  if (bootstrap === undefined && (await users.findBySubject(adminUsername)) === undefined)
    missing.push({ subject: adminUsername, email: null, role: 'admin', bootstrap: true })
  // In the spelling in which a sign-in is compared.
  for (const subject of parts.adminUsers.map(comparableSubject))
    if ((await users.findNamesake(subject)) === undefined)
      missing.push({ subject, email: subject.includes('@') ? subject : null, role: 'admin' })
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

/** ADMIN_USERNAME is another one than at the start before: keys, budget and history stay with the person. */
async function rename({ id, subject }: User, { database, adminUsername: wanted, log }: AdminParts): Promise<void> {
  await change(database, { sections: ['people'], actor: startupActor }, async ({ tx, audit }) => {
    const users = createUserStore(tx)
    if ((await users.findBySubject(wanted)) !== undefined) {
      log.warn(
        { user: id },
        'ADMIN_USERNAME is the name of another user; the bootstrap administrator keeps the old one',
      )
      return
    }
    await users.rename(id, wanted)
    audit({ action: 'user.update', target: `user:${id}`, before: { subject }, after: { subject: wanted } })
    log.info({ user: id }, 'the bootstrap administrator has the name of ADMIN_USERNAME now')
  })
}
