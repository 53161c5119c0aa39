import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { change } from '../../src/foundation/database/change.ts'
import { createSecretStore } from '../../src/foundation/database/secrets.ts'
import { ConflictError } from '../../src/foundation/database/store-errors.ts'
import { keyStatus } from '../../src/foundation/domain/virtual-key.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { actor, aKey, anEndpoint, anIdp } from './samples.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase({ maxConnections: 12 })
})
after(() => own.drop())

async function defaultEndpoints(): Promise<readonly string[]> {
  const endpoints = await createEndpointStore(own.database.kysely).list()
  return endpoints.filter((endpoint) => endpoint.isDefault).map((endpoint) => endpoint.id)
}

test('ten instances that start at once on an empty database make one endpoint, and it is the default', async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () => createEndpointStore(own.database.kysely).insertFirst(anEndpoint())),
  )
  assert.equal(made.filter((endpoint) => endpoint !== undefined).length, 1)
  assert.equal((await defaultEndpoints()).length, 1)
})

test('exactly one endpoint is the default, whoever switches it at the same time', async () => {
  const { kysely } = own.database
  const endpoints = await Promise.all(Array.from({ length: 8 }, () => createEndpointStore(kysely).insert(anEndpoint())))
  await Promise.all(
    endpoints.map((endpoint) =>
      change(own.database, { sections: ['endpoints'], actor }, ({ tx }) =>
        createEndpointStore(tx).makeDefault(endpoint.id),
      ),
    ),
  )
  assert.equal((await defaultEndpoints()).length, 1)
  // Also without the lock that `change` takes, the table itself refuses a second one.
  await assert.rejects(
    sql`update endpoints set is_default = true`.execute(kysely),
    (error) => error instanceof ConflictError && error.constraint === 'endpoints_one_default',
  )
})

test('the default endpoint can neither be removed nor disabled, and a disabled one cannot become it', async () => {
  const store = createEndpointStore(own.database.kysely)
  const [defaultId = ''] = await defaultEndpoints()
  assert.equal(await store.remove(defaultId), false)
  await assert.rejects(store.update(defaultId, { enabled: false }), /endpoints_default_enabled/)
  const disabled = await store.insert(anEndpoint({ enabled: false }))
  assert.equal(await store.makeDefault(disabled.id), undefined)
  assert.deepEqual(await defaultEndpoints(), [defaultId])
  assert.equal(await store.remove(disabled.id), true)
})

test('ten instances that ask for a secret at once get the same bytes', async () => {
  const secrets = await Promise.all(
    Array.from({ length: 10 }, () =>
      createSecretStore(own.database.kysely).getOrCreate('signing key', () => randomBytes(32)),
    ),
  )
  assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1)
  const again = await createSecretStore(own.database.kysely).getOrCreate('signing key', () => randomBytes(32))
  assert.deepEqual(again, secrets[0])
})

test('ten instances with the same identity provider in their environment make it once', async () => {
  const idp = anIdp()
  const made = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      own.database.kysely
        .transaction()
        .execute((tx) => createIdpStore(tx).insertUnlessIssuerKnown({ ...idp, audience: `audience ${index}` })),
    ),
  )
  assert.equal(made.filter((one) => one !== undefined).length, 1)
})

test("a removed user's keys and budget go with the user, and the names stay known for the spend log", async () => {
  const { kysely } = own.database
  const user = await createUserStore(kysely).insert({ subject: 'leaver@example.com', email: null, role: 'member' })
  const key = await createKeyStore(kysely).insert(aKey({ name: 'laptop', userId: user.id }))
  await createBudgetStore(kysely).put(budgetOf({ scope: 'user', subjectId: user.id }))
  assert.equal(await createUserStore(kysely).remove(user.id), true)
  assert.equal(await createKeyStore(kysely).find(key.id), undefined)
  assert.equal(await createBudgetStore(kysely).find({ scope: 'user', subjectId: user.id }), undefined)
  const names = await kysely.selectFrom('former_names').select(['kind', 'name']).orderBy('kind').execute()
  assert.deepEqual(
    names.filter((one) => one.kind !== 'endpoint'),
    [
      { kind: 'key', name: 'laptop' },
      { kind: 'user', name: 'leaver@example.com' },
    ],
  )
})

test("a removed team's own keys stop, while its members and their keys live on without a team", async () => {
  const { kysely } = own.database
  const team = await createTeamStore(kysely).insert('Dock')
  const user = await createUserStore(kysely).insert({ subject: 'm', email: null, role: 'member', teamId: team.id })
  const shared = await createKeyStore(kysely).insert(aKey({ teamId: team.id }))
  const personal = await createKeyStore(kysely).insert(aKey({ teamId: team.id, userId: user.id }))
  await createBudgetStore(kysely).put(budgetOf({ scope: 'team', subjectId: team.id }))
  assert.equal(await createTeamStore(kysely).remove(team.id), true)
  const [sharedNow, personalNow] = await Promise.all(
    [shared, personal].map(({ id }) => createKeyStore(kysely).find(id)),
  )
  assert.equal(sharedNow && keyStatus(sharedNow, Date.now() + 1_000), 'revoked')
  assert.equal(personalNow && keyStatus(personalNow, Date.now()), 'active')
  assert.equal(personalNow?.teamId, null)
  assert.equal((await createUserStore(kysely).find(user.id))?.teamId, null)
})

test('an identity belongs to one user, a user to one identity, and the bootstrap admin to none', async () => {
  const store = createUserStore(own.database.kysely)
  const first = await store.insert({ subject: 'first', email: null, role: 'member' })
  const second = await store.insert({ subject: 'second', email: null, role: 'member' })
  const bootstrap = await store.insert({ subject: 'admin', email: null, role: 'admin', bootstrap: true })
  assert.deepEqual((await store.bindIdentity(first.id, 'https://idp', 'sub-1'))?.identity, {
    issuer: 'https://idp',
    subject: 'sub-1',
  })
  assert.ok(await store.bindIdentity(first.id, 'https://idp', 'sub-1'))
  assert.equal(await store.bindIdentity(first.id, 'https://idp', 'sub-2'), undefined)
  assert.equal(await store.bindIdentity(bootstrap.id, 'https://idp', 'sub-3'), undefined)
  await assert.rejects(
    store.bindIdentity(second.id, 'https://idp', 'sub-1'),
    (error) => error instanceof ConflictError && error.constraint === 'users_identity_unique',
  )
})

test('a new role or a deactivation ends the sessions issued before; a new e-mail address does not', async () => {
  const store = createUserStore(own.database.kysely)
  const user = await store.insert({ subject: 'epoch', email: null, role: 'member' })
  assert.equal((await store.update(user.id, { email: 'e@example.com' }))?.sessionEpoch, 0)
  assert.equal((await store.update(user.id, { role: 'member' }))?.sessionEpoch, 0)
  assert.equal((await store.update(user.id, { role: 'admin' }))?.sessionEpoch, 1)
  assert.equal((await store.update(user.id, { active: false }))?.sessionEpoch, 2)
  assert.equal((await store.update(user.id, { active: true }))?.sessionEpoch, 2)
})

test('limits that make no sense never reach the tables', async () => {
  const { kysely } = own.database
  await assert.rejects(createKeyStore(kysely).insert(aKey({ rateLimitRpm: 0 })), /rate_limit_rpm/)
  const team = await createTeamStore(kysely).insert('Limits')
  const zero = { ...budgetOf({ scope: 'team', subjectId: team.id }), limitNanoUsd: 0 }
  await assert.rejects(createBudgetStore(kysely).put(zero), /limit_nano_usd/)
})

function budgetOf(subject: { scope: 'user' | 'team'; subjectId: string }) {
  return {
    ...subject,
    limitNanoUsd: 1_000_000_000,
    period: 'daily',
    policy: null,
    rules: [{ atPercent: 100, action: 'block' }],
    memberLimitNanoUsd: null,
  } as const
}
