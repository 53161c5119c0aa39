import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import { change } from '../../src/foundation/database/change.ts'
import { sections } from '../../src/foundation/domain/snapshot.ts'
import { keyStatus } from '../../src/foundation/domain/virtual-key.ts'
import { changedSections, readVersions } from '../../src/foundation/snapshot/snapshot-reader.store.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createCapabilityOverrideStore } from '../../src/modules/endpoints/capability-overrides.store.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createTeamRoutingStore } from '../../src/modules/endpoints/team-routing.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createModelMappingStore } from '../../src/modules/models/model-mappings.store.ts'
import { createModelPriceStore } from '../../src/modules/models/model-prices.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createSettingStore } from '../../src/modules/settings/settings.store.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { createSessionStore } from '../../src/modules/sign-in/sessions.store.ts'
import { actor, aKey, anEndpoint, anIdp, aPrice } from '../database/samples.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addManyKeys, measureLoad } from './snapshot-load.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

describe('snapshot', () => {
  test('an empty database gives an empty snapshot with default settings and version 0 everywhere', async () => {
    const snapshot = await readSnapshot(own.database)
    assert.deepEqual(new Set(Object.values(snapshot.versions)), new Set([0]))
    assert.equal(snapshot.keysByHash.size, 0)
    assert.equal(snapshot.defaultEndpoint, null)
    assert.equal(snapshot.settings.session_token_ttl_hours, 24)
  })

  test('holds every resource that was written', async () => {
    const { database } = own
    const written = await change(database, { sections, actor }, async ({ tx }) => {
      const team = await createTeamStore(tx).insert('Harbour')
      const user = await createUserStore(tx).insert({
        subject: 'ada@example.com',
        email: 'ada@example.com',
        role: 'member',
        teamId: team.id,
      })
      const key = await createKeyStore(tx).insert(aKey({ userId: user.id, allowedModels: ['claude-sonnet-5'] }))
      const endpoint = await createEndpointStore(tx).insert(anEndpoint())
      await createTeamRoutingStore(tx).replace({
        teamId: team.id,
        strategy: 'round_robin',
        endpoints: [{ endpointId: endpoint.id, priority: 3 }],
      })
      const idp = await createIdpStore(tx).insert(anIdp())
      await createModelMappingStore(tx).insertUnlessPresent([
        {
          vendorPrefix: 'claude-sonnet-5',
          hostedModelId: 'anthropic.claude-sonnet-5',
          displayName: 'Sonnet 5',
          contextWindow: 200_000,
          maxOutputTokens: 64_000,
          source: 'seed',
        },
      ])
      await createModelPriceStore(tx).put([aPrice('seed', 3), aPrice('admin', 2.5), aPrice('price_list', 4)])
      await createSettingStore(tx).put('session_token_ttl_hours', 8, 'admin')
      await createBudgetStore(tx).put({
        scope: 'team',
        subjectId: team.id,
        limitNanoUsd: 250_000_000_000,
        period: 'monthly',
        policy: 'standard',
        rules: [{ atPercent: 100, action: 'block' }],
        memberLimitNanoUsd: 20_000_000_000,
      })
      await createCapabilityOverrideStore(tx).put({
        endpointId: endpoint.id,
        profileId: 'us.anthropic.claude-sonnet-5',
        feature: 'context-1m-2025-08-07',
        supported: true,
        reason: null,
        setBy: 'admin',
      })
      await createSessionStore(tx).revoke('session-1', Date.now() + 60_000)
      await createSessionStore(tx).revoke('session-2', Date.now() - 60_000)
      return { team, user, key, endpoint, idp }
    })

    const snapshot = await readSnapshot(database)
    const { lastUsedAtMs: _lastUsed, createdBy: _createdBy, ...key } = written.key
    assert.deepEqual(snapshot.keysByHash.get(written.key.hash), key)
    assert.equal(snapshot.usersBySubject.get('ada@example.com'), snapshot.users.get(written.user.id))
    assert.equal(snapshot.teams.get(written.team.id)?.name, 'Harbour')
    assert.equal(snapshot.defaultEndpoint?.id, written.endpoint.id)
    assert.deepEqual(snapshot.teamRouting.get(written.team.id), {
      teamId: written.team.id,
      strategy: 'round_robin',
      endpoints: [{ endpointId: written.endpoint.id, priority: 3 }],
    })
    assert.deepEqual(
      snapshot.idps.map((idp) => idp.id),
      [written.idp.id],
    )
    assert.equal(snapshot.mappings.get('claude-sonnet-5')?.hostedModelId, 'anthropic.claude-sonnet-5')
    assert.equal(snapshot.prices.get('global:anthropic.claude-sonnet-5')?.rates.input, 2.5)
    assert.equal(snapshot.settings.session_token_ttl_hours, 8)
    assert.equal(snapshot.teamBudgets.get(written.team.id)?.memberLimitNanoUsd, 20_000_000_000)
    assert.equal(snapshot.userBudgets.size, 0)
    assert.equal(snapshot.capabilityOverrides[0]?.supported, true)
    assert.deepEqual([...snapshot.revokedSessions], ['session-1'])
  })

  test('a revoked key is revoked by every clock, and one in its grace is not yet', async () => {
    const { database } = own
    const hourMs = 3_600_000
    const statuses = async (nowMs: number, graceSeconds: number) => {
      const key = await change(database, { sections: ['keys'], actor }, async ({ tx }) => {
        const made = await createKeyStore(tx).insert(aKey())
        await createKeyStore(tx).revoke(made.id, nowMs, graceSeconds)
        return made
      })
      const known = (await readSnapshot(database)).keysByHash.get(key.hash)
      assert.ok(known !== undefined)
      return [-2 * hourMs, 0, 2 * hourMs].map((aheadMs) => keyStatus(known, Date.now() + aheadMs))
    }
    const revoked = ['revoked', 'revoked', 'revoked']
    for (const aheadMs of [-hourMs, 0, hourMs])
      assert.deepEqual(await statuses(Date.now() + aheadMs, 0), revoked, `by a clock ${aheadMs} ms ahead`)
    for (const aheadMs of [0, hourMs])
      assert.deepEqual(await statuses(Date.now() + aheadMs, 600), ['active', 'active', 'revoked'])
  })

  test('keys that ended long ago take no memory, and one that is given more time is back', async () => {
    const { database } = own
    const dayMs = 86_400_000
    const madeWith = (expiresAtMs: number | null, revokedAtMs: number | null) =>
      change(database, { sections: ['keys'], actor }, async ({ tx }) => {
        const made = await createKeyStore(tx).insert({ ...aKey(), expiresAtMs })
        if (revokedAtMs !== null) await createKeyStore(tx).revoke(made.id, revokedAtMs)
        return made
      })
    const isKnown = async ({ hash }: { readonly hash: string }) => (await readSnapshot(database)).keysByHash.has(hash)
    const present = Date.now()
    assert.equal(await isKnown(await madeWith(null, present - 2 * dayMs)), false)
    assert.equal(await isKnown(await madeWith(present + dayMs, present - 2 * dayMs)), false)
    assert.equal(await isKnown(await madeWith(null, present)), true)
    assert.equal(await isKnown(await madeWith(present - dayMs / 2, null)), true)
    const expired = await madeWith(present - 2 * dayMs, null)
    assert.equal(await isKnown(expired), false)
    await change(database, { sections: ['keys'], actor }, ({ tx }) =>
      createKeyStore(tx).update(expired.id, { expiresAtMs: present + dayMs }),
    )
    assert.equal(await isKnown(expired), true)
  })

  test('reloads only the sections whose version changed and keeps the others as they are', async () => {
    const { database } = own
    const first = await readSnapshot(database)
    await change(database, { sections: ['settings'], actor }, ({ tx }) =>
      createSettingStore(tx).put('admin_login_enabled', false, 'admin'),
    )
    const versions = await readVersions(database)
    assert.deepEqual(changedSections(first.versions, versions), ['settings'])
    const second = await readSnapshot(database, first)
    assert.equal(second.settings.admin_login_enabled, false)
    assert.equal(second.keysByHash, first.keysByHash)
    assert.equal(second.users, first.users)
    assert.equal(second.endpoints, first.endpoints)
    assert.deepEqual(second.versions, versions)
  })

  test('a setting of another release or of a wrong type falls back to its default', async () => {
    const { database } = own
    await sql`insert into proxy_settings (key, value, updated_by)
      values ('from_the_future', '1', 'x'), ('websearch_mode', '"sometimes"', 'x')`.execute(database.kysely)
    const { settings } = await readSnapshot(database)
    assert.equal(settings.websearch_mode, 'enabled')
    assert.ok(!('from_the_future' in settings))
  })

  test('cannot be changed by those who share it', async () => {
    const snapshot = await readSnapshot(own.database)
    const teams = snapshot.teams as Map<string, unknown>
    assert.throws(() => teams.set('x', {}), /immutable/)
    assert.throws(() => teams.clear(), /immutable/)
    const users = snapshot.users as Map<string, unknown>
    assert.throws(() => users.set('x', {}), TypeError)
    assert.throws(() => users.clear(), TypeError)
    assert.throws(() => Object.assign(users, { size: 0 }), TypeError)
    const [user] = snapshot.users.values()
    assert.throws(() => Object.assign(user as object, { role: 'admin' }), TypeError)
  })

  test('10,000 keys and 1,000 users load in many pieces, so that requests go on meanwhile', async (context) => {
    const { database } = own
    await addManyKeys(database)
    await readSnapshot(database)
    const { keys, workMs, longestWorkMs } = await measureLoad(database)
    context.diagnostic(`${longestWorkMs.toFixed(1)} ms of ${workMs.toFixed(1)} ms at once`)
    assert.ok(keys >= 10_000)
    assert.ok(longestWorkMs < workMs / 3, `${longestWorkMs} of ${workMs} ms at once`)
  })
})
