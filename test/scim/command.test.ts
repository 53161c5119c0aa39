import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('provisioning of a provider is shown and set, and its tokens are made and deleted', async () => {
  const provider = ['--issuer', own.gateway.simulator.oidcUrl, '--audience', 'causeway']
  await own.cli.json(['idps', 'create', 'Example', ...provider])
  assert.equal((await own.cli.json(['scim', 'show', 'Example'])).users, 0)
  assert.equal((await own.cli.json(['scim', 'admin-group', 'Example', 'Admins'])).scim_admin_group, 'Admins')
  const token = await own.cli.json(['scim', 'tokens', 'create', 'Example', '--name', 'Okta', '--expires', '365d'])
  assert.equal((await own.cli.json(['scim', 'tokens', 'list', 'Example'])).data[0].id, token.id)
  assert.equal((await own.cli.run(['scim', 'tokens', 'delete', 'Example', token.id, '--yes'])).code, 0)
  const lost = await own.cli.run(['scim', 'tokens', 'create', 'Example', '--name', 'unseen', '-o', 'id'])
  assert.deepEqual([lost.code, lost.out, /-o id would not show it/.test(lost.err)], [2, '', true])
  assert.equal((await own.cli.json(['scim', 'tokens', 'list', 'Example'])).data.length, 0)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['scim']), [])
})
