/** Managed settings, verdicts about betas and the secrets of identity providers in the file of a gateway. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { type CliRunner, createRunner } from '../cli/cli-runner.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let cli: CliRunner

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

/** These are an extension of their own, which the gateway may run without. */
const skip = existsSync('src/extensions/managed-settings') ? false : 'the gateway has no managed settings'

const beta = { profile_id: 'us.anthropic.claude-sonnet-5', beta_name: 'context-1m-2025-08-07' }

async function run(command: readonly string[], document: object) {
  return await cli.run([...command, '-f', '-'], { input: stringify({ version: 1, ...document }) })
}

async function requireApplied(document: object, changes: string, ...flags: string[]): Promise<void> {
  const { code, err } = await run(['apply', '--yes', ...flags], document)
  assert.deepEqual([code, err.trim()], [0, changes])
  const again = await run(['diff', ...flags], document)
  assert.deepEqual([again.code, again.out], [0, ''], again.err)
}

const exported = async () => parse((await cli.run(['export'])).out)

test('documents of managed settings travel with the file, and null takes one away', { skip }, async () => {
  const everybody = { env: { DISABLE_TELEMETRY: '1' }, permissions: { deny: ['WebFetch'] } }
  await requireApplied(
    { managed_settings: everybody, teams: [{ name: 'Apes', managed_settings: {} }, { name: 'Bees' }] },
    'Made 4 changes.',
  )
  const first = await exported()
  assert.deepEqual(first.managed_settings, everybody)
  assert.deepEqual(
    first.teams.map(({ name, managed_settings }: { name: string; managed_settings?: object }) => [
      name,
      managed_settings,
    ]),
    [
      ['Apes', {}],
      ['Bees', undefined],
    ],
  )
  // The whole document is replaced, and a file that does not speak of one leaves it alone, also when pruning.
  await requireApplied({ managed_settings: { model: 'sonnet' } }, 'Made 1 change.')
  await requireApplied({ teams: [{ name: 'Apes' }, { name: 'Bees' }] }, 'The gateway is what the file says.', '--prune')
  const second = await exported()
  assert.deepEqual([second.managed_settings, second.teams[0].managed_settings], [{ model: 'sonnet' }, {}])
  await requireApplied(
    {
      managed_settings: null,
      teams: [
        { name: 'Apes', managed_settings: null },
        { name: 'Bees', managed_settings: null },
      ],
    },
    'Made 2 changes.',
  )
  const third = await exported()
  assert.deepEqual(
    [third.managed_settings, third.teams[0].managed_settings, third.teams[1].managed_settings],
    [undefined, undefined, undefined],
  )
})

test('verdicts about betas belong to their endpoint, and are pruned only by files that name some', async () => {
  const { endpoints } = await exported()
  const [main] = endpoints
  const withBetas = (beta_overrides: readonly object[] | undefined) => ({
    endpoints: [{ ...main, ...(beta_overrides === undefined ? {} : { beta_overrides }) }],
  })
  await requireApplied(withBetas([{ ...beta, supported: false, reason: 'asked the vendor' }]), 'Made 1 change.')
  assert.deepEqual((await exported()).endpoints[0].beta_overrides, [
    { ...beta, supported: false, reason: 'asked the vendor' },
  ])
  await requireApplied(withBetas([{ ...beta, supported: true }]), 'Made 1 change.')
  assert.deepEqual((await exported()).endpoints[0].beta_overrides, [
    { ...beta, supported: true, reason: 'asked the vendor' },
  ])
  await requireApplied(withBetas(undefined), 'The gateway is what the file says.', '--prune')
  await requireApplied(withBetas([]), 'Made 1 change.', '--prune')
  assert.equal((await exported()).endpoints[0].beta_overrides, undefined)
})

test('a provider that needs a client secret is made, and the command that stores it is named', async () => {
  const idp = { name: 'Our Okta', issuer_url: 'https://example.okta.com', audience: 'causeway', client_id: 'causeway' }
  const document = { idps: [{ ...idp, has_client_secret: true }] }
  for (let round = 0; round < 2; round += 1) {
    const { code, err } = await run(['apply', '--yes'], document)
    assert.equal(code, 8)
    assert.match(err, /causeway idps update 'Our Okta' --client-secret-file <path>/)
  }
  assert.equal((await exported()).idps[0].has_client_secret, undefined)
  const stored = await cli.run(['idps', 'update', 'Our Okta', '--client-secret-file', '-'], {
    input: 'a client secret\n',
  })
  assert.equal(stored.code, 0, stored.err)
  await requireApplied(document, 'The gateway is what the file says.')
  await requireApplied({ idps: [{ ...idp, audience: 'gateway' }] }, 'Made 1 change.')
  assert.equal((await exported()).idps[0].has_client_secret, true)
  await requireApplied(
    { idps: [{ name: idp.name, issuer_url: idp.issuer_url, audience: 'gateway', has_client_secret: false }] },
    'Made 1 change.',
  )
  assert.equal((await exported()).idps[0].has_client_secret, undefined)
})
