/** `causeway why` as a process of its own: administrators ask about every request, others about their own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { adminOf, until } from '../endpoints/admin-client.ts'
import { hello, post, requestIdOf } from '../message-path/path-client.ts'
import { addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'

const program = join(import.meta.dirname, '../../bin/causeway.js')
const home = mkdtempSync(join(tmpdir(), 'causeway-why-'))
let gateway: TestGateway
let admin = ''
let mine = ''
let other = ''
let limited = ''
let served = ''
let refused = ''
let throttled = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      mine = (await addKey(database, { name: 'mine', rateLimitRpm: 2 })).key
      other = (await addKey(database, { name: 'other' })).key
    },
  })
  admin = await login(gateway.url)
  served = requestIdOf(await post(gateway, mine, hello))
  refused = requestIdOf(await post(gateway, other, { ...hello, model: 'claude-none' }))
  await gateway.control.script({ match: { operation: 'invoke' }, times: 1, behaviour: { throttle: true } })
  throttled = requestIdOf(await post(gateway, mine, hello))
  limited = requestIdOf(await post(gateway, mine, hello))
  const api = await adminOf(gateway)
  for (const id of [served, refused, throttled, limited])
    await until(async () => (await api.call('GET', `/admin/requests/${id}`)).status === 200)
})

after(async () => {
  await gateway?.stop()
  rmSync(home, { recursive: true, force: true })
})

async function causeway(token: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      HOME: home,
      PATH: String(process.env['PATH']),
      NO_COLOR: '1',
      CAUSEWAY_URL: gateway.url,
      CAUSEWAY_TOKEN: token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number }
}

const wanted = ['-o', 'table']

test('an administrator reads the reason, the limit with its amounts, the next step and a link', async () => {
  const { out, code } = await causeway(admin, 'why', limited, ...wanted)
  assert.equal(code, 0)
  assert.match(out, /^status +429$/m)
  assert.match(out, /^reason +rate_limit \(rate_limited\)$/m)
  assert.match(out, /^message +This key may make 2 requests a minute\. Try again in \d+ seconds\.$/m)
  assert.match(out, /^limit +key mine: 2 of 2 requests per minute, resets (in .+|.+ ago)$/m)
  assert.match(out, /^next step +Raise the rate limit of the key/m)
  assert.ok(out.includes(`${gateway.url}/portal#/keys`), out)
})

test('every attempt has its own reason', async () => {
  const { out } = await causeway(admin, 'why', throttled, ...wanted)
  assert.match(out, /^reason +throttled_by_aws \(ThrottlingException\)$/m)
  assert.match(out, /^attempts +\S+ 429 ThrottlingException \(throttled_by_aws\) \d/m)
  const shown = await causeway(admin, 'requests', 'show', throttled, ...wanted)
  assert.match(shown.out, /^reason +throttled_by_aws \(ThrottlingException\)$/m)
  assert.match(shown.out, /^next step +\S/m)
})

test('a key asks about its own requests, and never learns of those of others', async () => {
  const own = await causeway(mine, 'why', limited, '--json')
  assert.equal(own.code, 0, own.err)
  const { request_id: id, status, reason, hint } = JSON.parse(own.out)
  assert.deepEqual([id, status, reason.kind, hint.link], [limited, 429, 'rate_limit', '/portal#/'])
  const strange = await causeway(mine, 'why', refused)
  assert.deepEqual([strange.code, strange.out], [3, ''])
})

test('a request that succeeded has nothing to explain, and one that is not there is not found', async () => {
  const { out } = await causeway(admin, 'why', served, ...wanted)
  assert.match(out, /^reason +The request succeeded\.$/m)
  const missing = await causeway(admin, 'why', 'req_00000000000000000000000000000000')
  assert.deepEqual([missing.code, missing.out], [3, ''])
})

test('lists are filtered by reason', async () => {
  const { out } = await causeway(admin, 'requests', 'list', '--reason', 'rate_limit', '--json')
  assert.deepEqual(
    JSON.parse(out).data.map(({ request_id: id }: { request_id: string }) => id),
    [limited],
  )
  assert.equal((await causeway(admin, 'requests', 'list', '--reason', 'odd')).code, 2)
  const { out: own } = await causeway(mine, 'me', 'requests', '--reason', 'throttled_by_aws', '-o', 'id')
  assert.equal(own.trim(), throttled)
})
