/** Users. Writes touch the section `people`; `remove` also `keys` and `budgets`, the stamps none. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { raiseStamps, type Stamp } from '../../foundation/database/newer-stamps.ts'
import { mentions, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { Schema, UserTable } from '../../foundation/database/schema.ts'
import { type Grant, isGrant } from '../../foundation/domain/access.ts'
import type { Role, User } from '../../foundation/domain/user.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { type AdoptionStage, hasReached } from './adoption.store.ts'

export interface UserRecord extends User {
  readonly lastSeenAtMs: number | null
}

export interface NewUser {
  readonly subject: string
  readonly email: string | null
  readonly role: Role
  readonly grants?: readonly Grant[]
  readonly teamId?: string | null
  readonly identity?: User['identity']
  readonly bootstrap?: boolean
}

export type UserPatch = Partial<Pick<User, 'email' | 'role' | 'grants' | 'active' | 'teamId'>>

export interface UserFilter extends PageRequest {
  readonly ids?: readonly string[] | undefined
  readonly teamId?: string
  readonly role?: Role
  readonly grant?: Grant
  readonly active?: boolean
  readonly adoption?: { readonly stage: AdoptionStage; readonly nowMs: number }
}

type Row = Selectable<UserTable>

export function toUser(row: Row): User {
  return {
    id: row.id,
    subject: row.subject,
    email: row.email,
    role: row.role,
    // A later release may know more of them; here they open nothing.
    grants: row.grants.filter(isGrant),
    teamId: row.team_id,
    active: row.active,
    identity:
      row.issuer === null || row.oidc_subject === null ? null : { issuer: row.issuer, subject: row.oidc_subject },
    bootstrap: row.bootstrap,
    sessionEpoch: row.session_epoch,
    createdAt: row.created_at.toISOString(),
  }
}

function toUserRecord(row: Row): UserRecord {
  return { ...toUser(row), lastSeenAtMs: row.last_seen_at?.getTime() ?? null }
}

function toRow(user: NewUser) {
  return {
    id: newId(),
    subject: user.subject,
    email: user.email,
    role: user.role,
    grants: [...(user.grants ?? [])],
    team_id: user.teamId ?? null,
    issuer: user.identity?.issuer ?? null,
    oidc_subject: user.identity?.subject ?? null,
    bootstrap: user.bootstrap ?? false,
  }
}

const order = {
  sorts: {
    subject: { expression: sql`lower(subject)`, type: 'text' },
    created_at: { expression: sql`created_at`, type: 'timestamptz' },
    last_seen_at: { expression: sql`coalesce(last_seen_at, '-infinity')`, type: 'timestamptz' },
  },
  defaultSort: 'subject',
  id: sql`id`,
  idType: 'uuid',
} as const

/** Whom one identity provider has provisioned, no other may sign in as. */
function isManagedElsewhere(issuer: string) {
  return sql<boolean>`exists (
    select from scim_users join idps on idps.id = scim_users.idp_id
    where scim_users.user_id = users.id and idps.issuer_url <> ${issuer})`
}

export function createUserStore(db: Kysely<Schema>) {
  const findWhere = async (column: 'id' | 'subject', value: string): Promise<UserRecord | undefined> => {
    const row = await db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
    return row && toUserRecord(row)
  }

  /** A sign-in that the person has confirmed at a screen and that nobody has collected yet would begin a session anew. */
  const refuseApproved = async (id: string): Promise<void> => {
    await db.updateTable('login_requests').set({ state: 'denied', user_id: null }).where('user_id', '=', id).execute()
  }

  return {
    find: (id: string) => findWhere('id', id),
    findBySubject: (subject: string) => findWhere('subject', subject),

    /** Whom a sign-in under this name means: an address is one in any letter case, as provisioning may have written it. */
    findNamesake: async (subject: string): Promise<UserRecord | undefined> => {
      const exact = await findWhere('subject', subject)
      if (exact !== undefined || !subject.includes('@')) return exact
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where(sql<boolean>`lower(subject) = lower(${subject}::text)`)
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    findBootstrap: async (): Promise<UserRecord | undefined> => {
      const row = await db.selectFrom('users').selectAll().where('bootstrap', '=', true).executeTakeFirst()
      return row && toUserRecord(row)
    },

    findByIdentity: async (issuer: string, subject: string): Promise<UserRecord | undefined> => {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('oidc_subject', '=', subject)
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    insert: async (user: NewUser): Promise<UserRecord> => {
      const row = await db.insertInto('users').values(toRow(user)).returningAll().executeTakeFirstOrThrow()
      return toUserRecord(row)
    },

    /** For starts: several instances may try at once, and an existing user is left as it is. */
    insertUnlessPresent: async (user: NewUser): Promise<UserRecord | undefined> => {
      const row = await db
        .insertInto('users')
        .values(toRow(user))
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    list: (filter: UserFilter): Promise<Page<UserRecord>> => {
      let query = db.selectFrom('users').selectAll()
      if (filter.ids !== undefined) query = query.where('id', 'in', [...filter.ids])
      if (filter.teamId !== undefined) query = query.where('team_id', '=', filter.teamId)
      if (filter.role !== undefined) query = query.where('role', '=', filter.role)
      if (filter.grant !== undefined) query = query.where(sql<boolean>`${filter.grant}::text = any(grants)`)
      if (filter.active !== undefined) query = query.where('active', '=', filter.active)
      if (filter.adoption !== undefined) query = query.where(hasReached(filter.adoption.stage, filter.adoption.nowMs))
      const found = mentions([sql.ref('subject'), sql.ref('email')], filter.q)
      if (found !== undefined) query = query.where(found)
      return readPage(query, order, filter, toUserRecord)
    },

    /** A new role or a lost account must not live on in tokens that were issued before: the epoch rises with it. */
    update: async (id: string, patch: UserPatch): Promise<UserRecord | undefined> => {
      const { email, role, active, teamId } = patch
      const values = { email, role, active, team_id: teamId, grants: patch.grants && [...patch.grants] }
      if (Object.values(values).every((value) => value === undefined)) return findWhere('id', id)
      const endsSessions = sql<boolean>`(role <> ${role ?? sql`role`} or (active and not ${active ?? sql`active`}))`
      const row = await db
        .updateTable('users')
        .set({ ...values, session_epoch: sql<number>`session_epoch + case when ${endsSessions} then 1 else 0 end` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    /**
     * The user with another address than this one, who may take it over. SCIM decides the address of those whom a
     * provider manages with it.
     */
    findWithOtherEmail: async (id: string, email: string): Promise<UserRecord | undefined> => {
      const row = await db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', id)
        .where(sql<boolean>`lower(email) is distinct from lower(${email}::text)`)
        .where(sql<boolean>`not exists (select from scim_users where scim_users.user_id = users.id)`)
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    rename: async (id: string, subject: string): Promise<void> => {
      await db.updateTable('users').set({ subject }).where('id', '=', id).execute()
    },

    /** Pins the identity at the first sign-in. Undefined when the user is bound to another one, or gone. */
    bindIdentity: async (id: string, issuer: string, subject: string): Promise<UserRecord | undefined> => {
      const row = await db
        .updateTable('users')
        .set({ issuer, oidc_subject: subject })
        .where('id', '=', id)
        .where('bootstrap', '=', false)
        .where((eb) => eb.or([eb('issuer', 'is', null), eb.and({ issuer, oidc_subject: subject })]))
        .where(isManagedElsewhere(issuer), '=', false)
        .returningAll()
        .executeTakeFirst()
      return row && toUserRecord(row)
    },

    /** The next sign-in binds anew; whoever is signed in now has to do so again. */
    releaseIdentity: async (id: string): Promise<UserRecord | undefined> => {
      const row = await db
        .updateTable('users')
        .set({ issuer: null, oidc_subject: null, session_epoch: sql<number>`session_epoch + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
      await refuseApproved(id)
      return row && toUserRecord(row)
    },

    endSessions: async (id: string): Promise<void> => {
      await db
        .updateTable('users')
        .set({ session_epoch: sql<number>`session_epoch + 1` })
        .where('id', '=', id)
        .execute()
      await refuseApproved(id)
    },

    /** Inside `change` with the section `people` the answer holds until the commit. */
    hasOtherActiveAdmin: async (id: string): Promise<boolean> => {
      const row = await db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'admin')
        .where('active', '=', true)
        .where('id', '<>', id)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    remove: async (id: string): Promise<boolean> => {
      const result = await db.deleteFrom('users').where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0n
    },

    findModelsListedAtMs: async (id: string): Promise<number | null> => {
      const row = await db.selectFrom('users').select('models_listed_at').where('id', '=', id).executeTakeFirst()
      return row?.models_listed_at?.getTime() ?? null
    },

    touchModelsListed: (listings: readonly Stamp[]): Promise<void> =>
      raiseStamps(db, ['users', 'models_listed_at'], listings),

    touchLastSeen: (visits: readonly Stamp[]): Promise<void> => raiseStamps(db, ['users', 'last_seen_at'], visits),
  }
}

export type UserStore = ReturnType<typeof createUserStore>
