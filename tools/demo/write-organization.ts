/** Writes the invented company through the stores, with the audit trail that an administrator would have left. */

import { type Change, change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { routingPrefixOfRegion } from '../../src/foundation/domain/endpoint.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createTeamRoutingStore } from '../../src/modules/endpoints/team-routing.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { hashVirtualKey, makeVirtualKey, virtualKeyPrefix } from '../../src/modules/keys/virtual-key.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { sampleEndpoints, samplePeople, sampleTeams } from './sample/organization.ts'
import { DAY_MS } from './sample/rhythm.ts'
import { DEMO_KEY_NAME, type SampleKey, sampleKeys } from './sample/sample-keys.ts'

export const demoActor = { name: 'demo', sourceAddress: null, requestId: null } as const

export interface OrganizationOptions {
  readonly demoKey: string
  readonly nowMs: number
}

/** All or nothing; does nothing when teams exist already. */
export async function writeOrganization(database: Database, options: OrganizationOptions): Promise<void> {
  if ((await createTeamStore(database.kysely).list({ limit: 1 })).data.length > 0) return
  const sections = ['people', 'keys', 'endpoints'] as const
  await change(database, { sections, actor: demoActor }, async (work) => {
    const endpoints = await writeEndpoints(work)
    const teams = await writeTeams(work, endpoints)
    const people = await writePeople(work, teams)
    for (const key of sampleKeys) await writeKey(work, key, teams, people, options)
  })
}

type Ids = ReadonlyMap<string, string>

function getId(ids: Ids, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the sample names "${name}", which it does not define`)
  return id
}

/** The first is the one that the gateway would make at its first start; being first, it becomes the default. */
async function writeEndpoints({ tx, audit }: Change): Promise<Ids> {
  const store = createEndpointStore(tx)
  const ids = new Map((await store.list()).map((endpoint) => [endpoint.name, endpoint.id]))
  for (const { name, priority, roleArn } of sampleEndpoints) {
    if (ids.has(name)) continue
    const added = await store.insert({
      name,
      region: name,
      routingPrefix: routingPrefixOfRegion(name),
      priority,
      enabled: true,
      roleArn,
      externalId: null,
      inferenceProfileArn: null,
    })
    ids.set(name, added.id)
    audit({ action: 'endpoint.create', target: `endpoint:${added.id}`, after: { name, region: name } })
  }
  return ids
}

async function writeTeams({ tx, audit }: Change, endpoints: Ids): Promise<Ids> {
  const ids = new Map<string, string>()
  for (const { name, routing } of sampleTeams) {
    const { id } = await createTeamStore(tx).insert(name)
    ids.set(name, id)
    audit({ action: 'team.create', target: `team:${id}`, after: { name } })
    if (routing === null) continue
    await createTeamRoutingStore(tx).replace({
      teamId: id,
      strategy: routing.strategy,
      endpoints: routing.endpoints.map((endpoint, index) => ({
        endpointId: getId(endpoints, endpoint),
        priority: index + 1,
      })),
    })
    audit({ action: 'team.routing', target: `team:${id}`, after: routing })
  }
  return ids
}

async function writePeople({ tx, audit }: Change, teams: Ids): Promise<Ids> {
  const store = createUserStore(tx)
  const ids = new Map<string, string>()
  for (const { subject, role, grants, team, active } of samplePeople) {
    const teamId = team === null ? null : getId(teams, team)
    const { id } = await store.insert({ subject, email: subject, role, grants, teamId })
    ids.set(subject, id)
    audit({ action: 'user.create', target: `user:${id}`, after: { subject, role, grants } })
    if (!active) await store.update(id, { active })
  }
  return ids
}

async function writeKey(
  { tx, audit }: Change,
  key: SampleKey,
  teams: Ids,
  people: Ids,
  { demoKey, nowMs }: OrganizationOptions,
): Promise<void> {
  const store = createKeyStore(tx)
  const isDemo = key.name === DEMO_KEY_NAME
  // Nobody ever sees the other keys: they only have to exist.
  const made = isDemo ? { hash: hashVirtualKey(demoKey), prefix: virtualKeyPrefix(demoKey) } : makeVirtualKey()
  const { id } = await store.insert({
    name: key.name,
    hash: made.hash,
    prefix: made.prefix,
    userId: key.owner === null ? null : getId(people, key.owner),
    teamId: key.team === null ? null : getId(teams, key.team),
    rateLimitRpm: key.rateLimitRpm,
    allowedModels: key.allowedModels,
    expiresAtMs: key.expiresInDays === null ? null : nowMs + key.expiresInDays * DAY_MS,
    createdBy: demoActor.name,
  })
  audit({ action: 'key.create', target: `key:${id}`, after: { name: key.name } })
  if (key.revokedDaysAgo === null) return
  await store.revoke(id, nowMs - key.revokedDaysAgo * DAY_MS)
  audit({ action: 'key.revoke', target: `key:${id}` })
}
