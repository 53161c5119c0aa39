import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Admin, adminOf, east, until } from '../../endpoints/admin-client.ts'
import { hello, post } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../../support/gateway.ts'

const TRIALS_OF_A_KIND = 5
const LANES = 10
const hostedModel = 'anthropic.claude-sonnet-5'

let database: TestDatabase
let here: TestGateway
let there: TestGateway
let admin: Admin
let adminThere: Admin

interface Trial {
  readonly change: () => Promise<unknown>
  readonly isKnown: (gateway: TestGateway, admin: Admin) => Promise<boolean>
}

type Kind = (index: number) => Promise<Trial>

before(async () => {
  database = await createTestDatabase()
  here = await startGateway({ database, simulatorSettings: { tokenMode: 'fingerprint' } })
  there = await startGateway({ database, simulator: here.simulator })
  admin = await adminOf(here)
  adminThere = await adminOf(there)
})

after(async () => {
  await Promise.all([here.stop(), there.stop()])
  await here.simulator.close()
  await database.drop()
})

async function resolves(asker: Admin, model: string): Promise<boolean> {
  return (await asker.done('POST', '/admin/models/resolve', { model })).resolved === true
}

async function crew(index: number, kind: string, endpointIds: readonly string[]): Promise<{ id: string; key: string }> {
  const id = await addTeam(database.database, `${kind} ${index}`, { strategy: 'primary_fallback', endpointIds })
  return { id, key: (await addKey(database.database, { name: `${kind} ${index}`, teamId: id })).key }
}

const kinds: Readonly<Record<string, Kind>> = {
  'a new mapping': async (index) => ({
    change: () => admin.done('PUT', `/admin/model-mappings/new-${index}`, { hosted_model_id: hostedModel }),
    isKnown: (_, asker) => resolves(asker, `new-${index}`),
  }),
  'a deleted mapping': async (index) => {
    await admin.done('PUT', `/admin/model-mappings/old-${index}`, { hosted_model_id: hostedModel })
    return {
      change: () => admin.done('DELETE', `/admin/model-mappings/old-${index}`),
      isKnown: async (_, asker) => !(await resolves(asker, `old-${index}`)),
    }
  },
  'an override': async (index) => {
    const endpointId = await addEndpoint(database.database, { name: `override ${index}`, region: 'us-east-1' })
    const { key } = await crew(index, 'override', [endpointId])
    const place = { account: '111111111111', region: 'us-east-1', foundationModelId: hostedModel }
    const { arn } = await here.control.defineApplicationProfile(place)
    const body = { model_id: 'claude-sonnet-5', aip_arn: arn }
    return {
      change: () => admin.done('POST', `/admin/endpoints/${endpointId}/aip-overrides`, body),
      isKnown: async (gateway) => {
        const before = (await here.control.ledger({ modelId: arn })).length
        await post(gateway, key, hello)
        return (await here.control.ledger({ modelId: arn })).length > before
      },
    }
  },
  'a disabled endpoint': async (index) => {
    const id = await addEndpoint(database.database, { name: `disabled ${index}`, region: 'us-east-1' })
    const { key } = await crew(index, 'disabled', [id])
    return {
      change: () => admin.done('PUT', `/admin/endpoints/${id}`, { enabled: false }),
      isKnown: async (gateway) => (await post(gateway, key, hello)).status === 503,
    }
  },
  'a team assignment': async (index) => {
    const off = await addEndpoint(database.database, { name: `off ${index}`, region: 'us-east-1', enabled: false })
    const { id, key } = await crew(index, 'assignment', [off])
    const { id: on } = await admin.done('POST', '/admin/endpoints', { ...east, name: `on ${index}` })
    return {
      change: () =>
        admin.done('PUT', `/admin/teams/${id}/endpoints`, { endpoints: [{ endpoint_id: on, priority: 1 }] }),
      isKnown: async (gateway) => (await post(gateway, key, hello)).status === 200,
    }
  },
}

test('changes of endpoints, overrides, routing and mappings apply here at once, and on the other instance without a restart', async () => {
  const trials: Trial[] = []
  for (let index = 0; index < TRIALS_OF_A_KIND; index += 1)
    for (const prepare of Object.values(kinds)) trials.push(await prepare(index))
  // What a trial begins with was written to the database, and reaches the other instance a moment later.
  for (const { isKnown } of trials) await until(async () => !(await isKnown(there, adminThere)))

  const lane = async (first: number): Promise<void> => {
    for (let index = first; index < trials.length; index += LANES) {
      const { change, isKnown } = trials[index] as Trial
      await change()
      assert.equal(await isKnown(here, admin), true, `trial ${index} does not apply where it was made`)
      await until(() => isKnown(there, adminThere))
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)))
})
