import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database.ts'
import { login, startGateway } from '../support/gateway.ts'

test('ADMIN_USERS makes whoever is missing, and leaves out whoever is there in another spelling', async () => {
  const database = await createTestDatabase()
  const start = (admins: string) => startGateway({ database, env: { ADMIN_USERS: admins } })
  try {
    const first = await start('Ada@Example.com, Ops')
    const headers = { authorization: `Bearer ${await login(first.url)}`, 'content-type': 'application/json' }
    const add = async (subject: string): Promise<number> => {
      const body = JSON.stringify({ subject })
      return (await fetch(`${first.url}/admin/users`, { method: 'POST', headers, body })).status
    }
    assert.deepEqual([await add('ada@example.com'), await add('bo@example.com'), await add('ops')], [409, 201, 201])
    await first.stop()
    await (await start('ADA@example.com,BO@EXAMPLE.COM,Ops')).stop()
    const { rows } = await database.database.pool.query(`select subject, role from users where not bootstrap`)
    assert.deepEqual(rows.map(({ subject, role }) => `${subject} ${role}`).sort(), [
      'Ops admin',
      'ada@example.com admin',
      'bo@example.com member',
      'ops member',
    ])
  } finally {
    await database.drop()
  }
})
