/** A sign-in in the browser that the gateway itself cannot finish: whoever sits there gets a page and not JSON. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asAdmin, authorize, createJar, me, signIn, startLoginGateway, type Visit } from '../../sign-in/login-app.ts'
import { type ChaosProxy, startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

let direct: TestDatabase
let proxy: ChaosProxy
let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  direct = await createTestDatabase()
  proxy = await startChaosProxy(direct.url)
  gateway = await startLoginGateway({ database: { ...direct, url: proxy.url } })
  const { status } = await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { client_secret: 'any' })
  assert.equal(status, 200)
})
after(async () => {
  proxy.set('pass')
  await gateway.stop()
  await proxy.close()
  await direct.drop()
})

async function finishWhen(broken: () => Promise<unknown> | unknown): Promise<Visit> {
  const jar = createJar()
  const back = await authorize(jar, `${gateway.url}/auth/sso/${gateway.idpId}/start`, 'alice@example.com')
  await broken()
  const visit = await jar.send(back)
  assert.match(visit.headers.get('content-type') ?? '', /^text\/html/)
  assert.equal(
    [...jar.cookies.values()].some((cookies) => cookies.has('causeway_session')),
    false,
  )
  return visit
}

test('while the database is away', async () => {
  const visit = await finishWhen(() => proxy.set('refuse'))
  proxy.set('pass')
  assert.equal(visit.status, 503)
  assert.match(visit.text, /Try again/)
})

test('when the client secret was stored under another SECRET_KEY, until it is stored again', async () => {
  const sealed = Buffer.from([1, ...Buffer.alloc(40, 7)])
  const visit = await finishWhen(() => direct.database.pool.query('update idps set client_secret = $1', [sealed]))
  assert.equal(visit.status, 500)
  assert.match(visit.text, /sealed with another SECRET_KEY/)
  assert.match(gateway.logLines.join(''), /"level":"warn"[^\n]*"kind":"secret-unreadable"/)
  await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { client_secret: null })
  assert.equal((await me(gateway, await signIn(gateway, 'alice@example.com'))).user?.subject, 'alice@example.com')
})
