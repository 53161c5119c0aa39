import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('a view is saved, listed and deleted', async () => {
  assert.equal((await own.cli.json(['me', 'views', 'save', 'errors', '#/me/requests?status=error'])).name, 'errors')
  assert.equal((await own.cli.json(['me', 'views', 'list'])).data.length, 1)
  assert.equal((await own.cli.run(['me', 'views', 'delete', 'errors', '--yes'])).code, 0)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['me views']), [])
})
