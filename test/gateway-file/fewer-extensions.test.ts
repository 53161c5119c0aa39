/** The file of a gateway that runs without managed settings: what it does not offer is absent, and the rest works. */
import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { type CliRunner, createRunner } from '../cli/cli-runner.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let front: Server
let cli: CliRunner

/** The gateway itself answers for the routes that it does not have. */
function withoutManagedSettings(url: string): Server {
  return createServer((asked, answer) => {
    const { method, headers } = asked
    const path = asked.url?.replace(/managed-settings$/, 'no-such-route')
    const passedOn = request(`${url}${path}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers)
      given.pipe(answer)
    })
    asked.pipe(passedOn)
  })
}

before(async () => {
  gateway = await startGateway()
  front = withoutManagedSettings(gateway.url)
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  cli = createRunner({ CAUSEWAY_URL: url, CAUSEWAY_TOKEN: await login(gateway.url) })
  await cli.json(['teams', 'create', 'platform'])
})

after(async () => {
  cli?.close()
  front?.closeAllConnections()
  front?.close()
  await gateway?.stop()
})

test('a gateway without managed settings is exported, and differs in nothing from its own file', async () => {
  const { code, out, err } = await cli.run(['export'])
  assert.equal(code, 0, err)
  const { managed_settings: managed, teams } = parse(out)
  assert.equal(managed, undefined)
  assert.deepEqual(teams, [{ name: 'platform' }])
  const compared = await cli.run(['diff', '-f', '-', '--prune'], { input: out })
  assert.deepEqual([compared.code, compared.out], [0, ''], compared.err)
})

test('what a file wants of managed settings is missing there, and nothing to take away is no difference', async () => {
  const nothing = { version: 1, managed_settings: null, teams: [{ name: 'platform', managed_settings: null }] }
  const same = await cli.run(['diff', '-f', '-'], { input: stringify(nothing) })
  assert.deepEqual([same.code, same.out], [0, ''], same.err)
  const wanted = { version: 1, managed_settings: { model: 'sonnet' } }
  const differs = await cli.run(['diff', '-f', '-'], { input: stringify(wanted) })
  assert.deepEqual([differs.code, differs.out], [8, '+ managed-settings everybody: settings {"model":"sonnet"}\n'])
})

test('any other refusal ends the export', async () => {
  const stranger = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: 'nobody' })
  const { code, out } = await stranger.run(['export'])
  assert.deepEqual([code, out], [4, ''])
  stranger.close()
})
