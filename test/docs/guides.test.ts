/** Commands of the guides, run one after the other on a new gateway as the page on starting it makes one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { splitLine } from '../../cli/app/complete.ts'
import { createBudgetRequestStore } from '../../src/modules/budgets/budget-requests.store.ts'
import { type CliRunner, createRunner } from '../cli/cli-runner.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let cli: CliRunner

before(async () => {
  const [, region = ''] = /AWS_REGION=(\S+)/.exec(readFileSync('docs/start/deploy.md', 'utf8')) ?? []
  gateway = await startGateway({ env: { AWS_REGION: region } })
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
  await cli.json(['teams', 'create', 'platform'])
  await cli.json(['users', 'create', 'ada@example.com'])
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

for (const [page, count] of [
  ['budgets', 9],
  ['endpoints', 3],
] as const)
  test(`the commands of the guide on ${page} are carried out as they stand`, async () => {
    const commands = [...readFileSync(`docs/guides/${page}.md`, 'utf8').matchAll(/^causeway (.+)$/gm)]
    assert.equal(commands.length, count)
    for (const [line, words = ''] of commands) {
      if (/^budgets (approve|decline)/.test(words)) await askFor('ada@example.com')
      const { code, err } = await cli.run(splitLine(line))
      // Nobody lets this gateway into the other account, which is what the check is for.
      assert.equal(code, words.startsWith('endpoints check') ? 8 : 0, `${line}: ${err}`)
    }
  })

/** As if that person had asked: every decision needs a request of its own. */
async function askFor(person: string): Promise<void> {
  assert.ok(gateway.database !== undefined)
  const user = await cli.json(['users', 'show', person])
  const request = { userId: user.id, teamId: null, amountNanoUsd: 20_000_000_000, reason: 'release week' }
  await createBudgetRequestStore(gateway.database.kysely).insert(request)
}

test('the page on deploying names the image by the version of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const named = [...readFileSync('docs/start/deploy.md', 'utf8').matchAll(/\/causeway:(\S+)/g)].map(([, tag]) => tag)
  assert.deepEqual(named, [version, version, version])
})
