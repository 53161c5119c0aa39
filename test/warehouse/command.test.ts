import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../src/foundation/database/database.ts'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()
const database = () => own.gateway.database as Database

test('the state is shown, and a run is asked for', async () => {
  const state = await own.cli.json(['warehouse', 'status'])
  assert.equal(state.is_on, false)
  const { rows } = await database().pool.query('select next_run_at from warehouse_state')
  const asked = await own.cli.run(['warehouse', 'export'])
  assert.equal(asked.code, 0)
  const after = await database().pool.query('select next_run_at from warehouse_state')
  assert.ok(after.rows[0].next_run_at > rows[0].next_run_at)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['warehouse']), [])
})
