/** The search provider and the notification destination in the file of a gateway: with everything but their secrets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { type ControlClient, controlClient } from '../../simulator/control-client.ts'
import { shownAddress } from '../../src/foundation/domain/shown-address.ts'
import { type CliRunner, createRunner } from '../cli/cli-runner.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let control: ControlClient
let cli: CliRunner

before(async () => {
  gateway = await startGateway()
  control = controlClient(gateway.simulator.controlUrl)
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

const hook = (path: string) => `${gateway.simulator.webhookUrl}${path}`
const received = async () => (await control.webhooks()).length
const webhook = (path: string, more: object = {}) => ({
  notifications: { destination_type: 'webhook', destination: hook(path), ...more },
})
const everybody = (provider: object) => ({ settings: { websearch_mode: 'global' }, search_provider: provider })

async function apply(document: object) {
  return await cli.run(['apply', '-f', '-', '--yes'], { input: stringify({ version: 1, ...document }) })
}

async function requireApplied(document: object, changes: number): Promise<void> {
  const { code, err } = await apply(document)
  assert.deepEqual([code, err.trim()], [0, `Made ${changes} ${changes === 1 ? 'change' : 'changes'}.`])
  const again = await cli.run(['diff', '-f', '-', '--prune'], { input: stringify({ version: 1, ...document }) })
  assert.deepEqual([again.code, again.out], [0, ''], again.err)
}

const exported = async () => parse((await cli.run(['export'])).out)

test('a fresh gateway takes a file with a search for everybody and a destination whole, in one run', async () => {
  const document = {
    ...everybody({ provider_type: 'searxng', api_url: 'https://search.example.com' }),
    idps: [{ name: 'Okta', issuer_url: 'https://example.okta.com', audience: 'causeway' }],
    ...webhook('/fresh', { categories: { rate_limit: true } }),
  }
  const input = stringify({ version: 1, ...document })
  const planned = await cli.run(['apply', '-f', '-', '--dry-run'], { input })
  assert.equal(planned.code, 0, planned.err)
  assert.deepEqual(
    planned.out.trim().split('\n'),
    [
      '+ search-provider global: provider_type "searxng", api_url "https://search.example.com"',
      '~ setting websearch_mode: value "enabled" → "global"',
      '+ idp Okta: issuer_url "https://example.okta.com", audience "causeway"',
      `+ notification-destination active: destination_type "webhook", destination "${shownAddress(hook('/fresh'))}"`,
      '+ notification-categories categories: rate_limit true',
    ],
    planned.out,
  )
  assert.equal(await received(), 0, 'a plan tries nothing')
  await requireApplied(document, 5)
  assert.equal(await received(), 1, 'the test event')
  const { search_provider, notifications } = await exported()
  assert.deepEqual(search_provider, {
    provider_type: 'searxng',
    api_url: 'https://search.example.com',
    max_results: 10,
    has_api_key: false,
  })
  assert.deepEqual(notifications, {
    destination_type: 'webhook',
    destination: shownAddress(hook('/fresh')),
    has_secret: false,
    categories: { budget: true, rate_limit: true, keys: false, digest: false },
  })
})

test('a key of a search engine is asked for where it is missing, and kept where it is stored', async () => {
  const tavily = { provider_type: 'tavily', max_results: 5 }
  const before = await exported()
  const refused = await apply({ ...everybody(tavily), teams: [{ name: 'after' }] })
  assert.equal(refused.code, 2)
  assert.match(refused.err, /search-provider global: tavily needs an api_key, .*websearch set global --provider tavily/)
  assert.match(refused.err, /0 of 2 changes were made/)
  assert.deepEqual(await exported(), before)
  const stored = ['websearch', 'set', 'global', '--provider', 'tavily', '--api-key-file', '-']
  await cli.json(stored, { input: 'key-of-tavily' })
  await requireApplied({ ...everybody(tavily), teams: [{ name: 'after' }] }, 2)
  const { search_provider } = await exported()
  assert.deepEqual(search_provider, { ...tavily, has_api_key: true }, 'and no address of the engine before')
  const moved = await apply(everybody({ ...tavily, api_url: 'https://proxy.example.com' }))
  assert.match(moved.err, /--provider tavily --api-url https:\/\/proxy\.example\.com --api-key-file/)
  await requireApplied(everybody({ provider_type: 'duckduckgo' }), 1)
  assert.equal((await exported()).search_provider.has_api_key, false)
  const custom = { provider_type: 'custom', api_url: 'https://search.example.com/v1', has_api_key: true }
  const keyed = ['--provider', custom.provider_type, '--api-url', custom.api_url, '--api-key-file', '-']
  assert.equal((await apply(everybody(custom))).code, 2)
  await cli.json(['websearch', 'set', 'global', ...keyed], { input: 'key' })
  await requireApplied(everybody({ ...custom, max_results: 3 }), 1)
  await requireApplied(everybody({ ...custom, has_api_key: false }), 1)
  assert.equal((await cli.json(['websearch', 'show'])).provider.has_api_key, false)
})

test('a provider for everybody in a mode without one is refused before anything is changed', async () => {
  const provider = { provider_type: 'duckduckgo' }
  await cli.json(['websearch', 'set', 'enabled'])
  assert.equal((await exported()).search_provider, undefined)
  for (const settings of [undefined, { websearch_mode: 'disabled' }]) {
    const { code, err } = await apply({ ...(settings === undefined ? {} : { settings }), search_provider: provider })
    assert.equal(code, 2)
    assert.match(err, /search_provider: .*mode is (enabled|disabled).*websearch_mode: global/s)
  }
  assert.equal((await cli.json(['websearch', 'show'])).mode, 'enabled')
})

test('a secret of a webhook stays with its host, is taken from a draft, and is never written', async () => {
  const refused = await apply(webhook('/signed', { has_secret: true }))
  assert.equal(refused.code, 2)
  assert.match(
    refused.err,
    /update notification-destination active: .*secret.*notifications draft webhook http:.*\/… --secret-file/,
  )
  await cli.json(['notifications', 'draft', 'webhook', hook('/signed'), '--secret-file', '-'], { input: 'hush-hush' })
  await requireApplied(webhook('/signed', { has_secret: true }), 1)
  const text = (await cli.run(['export'])).out
  assert.doesNotMatch(text, /hush|key-of-tavily/)
  assert.deepEqual(
    parse(text).notifications.categories,
    { budget: true, rate_limit: true, keys: false, digest: false },
    'left out, and so kept',
  )
  await requireApplied(webhook('/other'), 1)
  assert.equal((await exported()).notifications.has_secret, true, 'the same host')
  const away = { destination_type: 'webhook', destination: 'https://elsewhere.example.com/hook' }
  assert.match((await apply({ notifications: away })).err, /secret that signs the webhook has no place in a file/)
  // A draft of somebody else neither hides the secret nor brings its categories.
  const draft = ['notifications', 'draft', 'webhook', 'https://draft.example.com/', '--secret-file', '-']
  await cli.json([...draft, '--budget', 'false'], { input: 'another' })
  await requireApplied(webhook('/third'), 1)
  const { notifications } = await exported()
  assert.deepEqual(
    [notifications.has_secret, notifications.categories],
    [true, { budget: true, rate_limit: true, keys: false, digest: false }],
    'as before',
  )
  await requireApplied(webhook('/third', { has_secret: false }), 1)
  assert.equal((await control.webhooks()).at(-1)?.headers['x-gateway-signature'], undefined)
})

test('a destination that does not take the test event is not activated, and a wrong value is named', async () => {
  const before = await exported()
  const dead = { notifications: { destination_type: 'webhook', destination: 'http://127.0.0.1:2/hook' } }
  const failed = await apply(dead)
  assert.equal(failed.code, 8)
  assert.match(failed.err, /a test event was not delivered to http:\/\/127\.0\.0\.1:2\/…: .*saved as a draft/)
  assert.deepEqual(await exported(), before)
  const topic = 'arn:aws:sns:us-east-1:111111111111:budgets'
  const cases: readonly (readonly [document: object, message: RegExp])[] = [
    [everybody({ provider_type: 'altavista' }), /search_provider\.provider_type/],
    [everybody({ provider_type: 'duckduckgo', max_results: 50 }), /search_provider\.max_results/],
    [everybody({ provider_type: 'tavily', api_key: 'k' }), /search_provider.*api_key/],
    [everybody({ provider_type: 'searxng' }), /api_url/],
    [everybody({ provider_type: 'custom', api_url: 'ftp://example.com' }), /api_url/],
    [{ notifications: { destination: topic } }, /notifications\.destination_type/],
    [{ notifications: { destination_type: 'topic' } }, /notifications\.destination:/],
    [{ notifications: { destination_type: 'topic', destination: 'budgets' } }, /destination: must be the ARN/],
    [
      { notifications: { destination_type: 'topic', destination: topic, has_secret: true } },
      /notifications\.has_secret/,
    ],
    [{ notifications: { destination_type: 'webhook', destination: topic, secret: 's' } }, /notifications.*secret/],
  ]
  for (const [document, message] of cases) {
    const { code, err } = await apply(document)
    assert.equal(code, 2, err)
    assert.match(err, message)
  }
})

test('the address of a webhook is printed nowhere whole; a file with its origin means the stored one', async () => {
  await requireApplied(webhook('/secret-one'), 1)
  const file = await exported()
  assert.equal(file.notifications.destination, shownAddress(hook('/secret-one')))
  const unchanged = await cli.run(['diff', '-f', '-', '--prune'], { input: stringify(file) })
  assert.deepEqual([unchanged.code, unchanged.out], [0, ''], unchanged.err)
  for (const more of [[], ['--json']]) {
    const input = stringify({ version: 1, ...webhook('/secret-two') })
    const { code, out, err } = await cli.run(['diff', '-f', '-', ...more], { input })
    assert.equal(code, 8)
    assert.match(out, /destination/)
    assert.doesNotMatch(out + err, /secret-(one|two)/)
  }
  assert.doesNotMatch((await cli.run(['notifications', 'show'], { terminal: true })).out, /secret-one/)

  await cli.json(['notifications', 'deactivate', '--yes'])
  const refused = await apply({ notifications: file.notifications })
  assert.equal(refused.code, 2)
  assert.match(refused.err, /only the origin of http.*notifications draft webhook <address>/)
  await cli.json(['notifications', 'draft', 'webhook', hook('/secret-one')])
  await requireApplied({ notifications: file.notifications }, 2)
  assert.equal((await cli.json(['notifications', 'show'])).active.destination, hook('/secret-one'))
})

test('files of before, with categories alone, leave the destination as it is, also with --prune', async () => {
  const { notifications } = await exported()
  const input = stringify({ version: 1, notifications: { categories: { rate_limit: false } } })
  const applied = await cli.run(['apply', '-f', '-', '--prune', '--yes'], { input })
  assert.deepEqual([applied.code, applied.err.trim()], [0, 'Made 1 change.'])
  const after = (await exported()).notifications
  assert.deepEqual(after, {
    ...notifications,
    categories: { budget: true, rate_limit: false, keys: false, digest: false },
  })
})

test('a topic is applied and exported without a word on secrets', async () => {
  const topic = { destination_type: 'topic', destination: 'arn:aws:sns:us-east-1:111111111111:budgets' }
  await requireApplied({ notifications: { ...topic, has_secret: false } }, 1)
  const { notifications } = await exported()
  assert.deepEqual(notifications, {
    ...topic,
    categories: { budget: true, rate_limit: false, keys: false, digest: false },
  })
})
