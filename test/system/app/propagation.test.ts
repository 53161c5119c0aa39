import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { change } from '../../../src/foundation/database/change.ts'
import { createUserStore } from '../../../src/modules/people/users.store.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { addKey, login, startGateway, type TestGateway } from '../../support/gateway.ts'

const KINDS = ['revoke', 'rename', 'deactivate', 'demote'] as const
const TRIALS = 20

type Kind = (typeof KINDS)[number]

interface Trial {
  readonly kind: Kind
  readonly userId: string
  readonly key: { readonly key: string; readonly id: string }
}

let database: TestDatabase
let here: TestGateway
let there: TestGateway
let admin = ''
const trials: Trial[] = []

before(async () => {
  database = await createTestDatabase()
  for (let index = 0; index < TRIALS; index += 1) trials.push(await prepareTrial(index))
  here = await startGateway({ database, simulatorSettings: { tokenMode: 'fingerprint' } })
  there = await startGateway({ database, simulator: here.simulator })
  admin = await login(here.url)
})

after(async () => {
  await Promise.all([here.stop(), there.stop()])
  await here.simulator.close()
  await database.drop()
})

async function prepareTrial(index: number): Promise<Trial> {
  const actor = { name: 'test', sourceAddress: null, requestId: null }
  const user = await change(database.database, { sections: ['people'], actor }, ({ tx }) =>
    createUserStore(tx).insert({ subject: `person-${index}@example.com`, email: null, role: 'admin' }),
  )
  return {
    kind: KINDS[index % KINDS.length] ?? 'revoke',
    userId: user.id,
    key: await addKey(database.database, { name: `key ${index}`, userId: user.id }),
  }
}

async function write(method: string, path: string, body?: object): Promise<void> {
  const response = await fetch(`${here.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${admin}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200, await response.text())
}

const changes: Readonly<Record<Kind, (trial: Trial) => Promise<void>>> = {
  revoke: ({ key }) => write('POST', `/admin/keys/${key.id}/revoke`),
  rename: ({ key }) => write('PATCH', `/admin/keys/${key.id}`, { name: 'renamed' }),
  deactivate: ({ userId }) => write('PATCH', `/admin/users/${userId}`, { active: false }),
  demote: ({ userId }) => write('PATCH', `/admin/users/${userId}`, { role: 'member' }),
}

/** Whether an instance knows the change, seen through the key itself. */
async function isKnown({ kind, key }: Trial, gateway: TestGateway): Promise<boolean> {
  const response = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${key.key}` } })
  if (kind === 'revoke' || kind === 'deactivate') return response.status === 401
  const me = (await response.json()) as { user: { role: string }; key: { name: string } }
  return kind === 'rename' ? me.key.name === 'renamed' : me.user.role === 'member'
}

test('revocation, deactivation, a lost role and a new name apply here at once, and on the other instance without a restart', async () => {
  await Promise.all(
    trials.map(async (trial) => {
      assert.equal(await isKnown(trial, there), false)
      await changes[trial.kind](trial)
      assert.equal(await isKnown(trial, here), true, `${trial.kind} at once`)
      await untilTrue(() => isKnown(trial, there))
    }),
  )
})
