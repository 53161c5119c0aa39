import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { IdentityProvider } from '../../src/foundation/domain/idp.ts'
import { createBaseUrlFinder } from '../../src/modules/sign-in/base-url.ts'
import { createSchemeReader } from '../../src/modules/sign-in/portal-session.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startLoginGateway } from './login-app.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>

before(async () => {
  gateway = await startLoginGateway()
})

after(() => gateway.stop())

const idpWith = (audience: string) => ({ audience, enabled: true }) as IdentityProvider
const open = { publicUrl: null, isLoopbackOnly: false, idps: () => [], readScheme: createSchemeReader(null) }

test('PUBLIC_URL wins, then an audience that looks like a domain name, then the request', () => {
  const call = { headers: { host: 'Gw.Example.com:8443' }, scheme: 'http' } as const
  const of = (parts: Partial<Parameters<typeof createBaseUrlFinder>[0]>) =>
    createBaseUrlFinder({ ...open, ...parts })(call)
  assert.equal(of({ publicUrl: 'https://public.example' }), 'https://public.example')
  assert.equal(of({ idps: () => [idpWith('gateway.corp.example')] }), 'https://gateway.corp.example')
  assert.equal(of({ idps: () => [idpWith('gw.example.com')] }), 'https://gw.example.com:8443')
  assert.equal(of({}), 'http://gw.example.com:8443')
  const impossible = { headers: { host: 'gw.example.com:99999' }, scheme: 'http' } as const
  const ofAudience = createBaseUrlFinder({ ...open, idps: () => [idpWith('gw.example.com')] })
  assert.equal(ofAudience(impossible), 'https://gw.example.com')
  for (const audience of [
    '6f1c2f6e-7d0a-4a8e-9c53-1d8a52a1b6cd',
    'causeway',
    'api://x',
    '1-a.apps.googleusercontent.com',
    'x..y',
    'a.b$(id)',
  ])
    assert.equal(of({ idps: () => [idpWith(audience)] }), 'http://gw.example.com:8443', audience)
})

test('the scheme is https behind TLS and behind a proxy that says so, and nothing else', () => {
  const baseOf = createBaseUrlFinder(open)
  const forwarded = (value: string) =>
    baseOf({ headers: { host: 'a.example', 'x-forwarded-proto': value }, scheme: 'http' })
  assert.equal(forwarded('https'), 'https://a.example')
  for (const odd of ['";id;"', 'javascript', 'https,http', 'HTTPS', ''])
    assert.equal(forwarded(odd), 'http://a.example', odd)
  assert.equal(baseOf({ headers: { host: 'a.example' }, scheme: 'https' }), 'https://a.example')
})

const hostTricks = [
  'evil.tld',
  'x$(touch pwned)',
  'x`id`',
  "x'; id; '",
  'x"; id; "',
  'x/health?',
  'x#',
  'x/portal/',
  'user@evil.tld',
  '127.0.0.1:80:80',
  '127.0.0.1:99999999',
  'localhost:65536',
  '127.0.0.999',
  'localhost.evil.tld',
  '127.0.0.1.evil.tld',
  '[::1',
  '',
  'x\\y',
  'ａ.example',
]
const routes = [
  '/auth/cli/login',
  '/auth/setup',
  '/auth/setup/token-script',
  '/setup',
  '/.well-known/oauth-authorization-server',
]

test('a Host that names another machine, or no machine, is refused wherever an address is written (T18, T19)', async () => {
  for (const route of [...routes, `/auth/sso/${gateway.idpId}/start`])
    for (const host of hostTricks) {
      const answer = await sendRaw(gateway.port, `GET ${route} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      assert.equal(answer.status, 400, `${route} ${host}`)
      assert.doesNotMatch(`${answer.head}${answer.body}`, /evil|pwned|`id`/, `${route} ${host}`)
    }
})

test('the host of a target that is a whole address counts instead of the Host header, and passes the same checks', async () => {
  const askFor = (host: string, route: string) =>
    sendRaw(gateway.port, `GET http://${host}${route} HTTP/1.1\r\nHost: evil.tld\r\nConnection: close\r\n\r\n`)
  for (const host of hostTricks.filter((trick) => !/[/?#]/.test(trick))) {
    const answer = await askFor(host, '/auth/setup')
    assert.equal(answer.status, 400, host)
    assert.doesNotMatch(`${answer.head}${answer.body}`, /evil|pwned|`id`/, host)
  }
  const answer = await askFor('localhost:8443', '/.well-known/oauth-authorization-server')
  assert.equal(answer.status, 200)
  assert.match(answer.body, /http:\/\/localhost:8443/)
  assert.doesNotMatch(answer.body, /evil/)
})

test('forwarded names and addresses in the query change nothing', async () => {
  const headers = {
    'x-forwarded-host': 'evil.tld',
    'x-forwarded-proto': '";id;"',
    'x-original-url': '//evil.tld',
    forwarded: 'host=evil.tld',
  }
  for (const route of [...routes, `/auth/sso/${gateway.idpId}/start`]) {
    const query = '?redirect_uri=https://evil.tld&return_to=//evil.tld&cli=//evil&next=https://evil.tld'
    const response = await fetch(`${gateway.url}${route}${query}`, { headers, redirect: 'manual' })
    const text = `${await response.text()}${response.headers.get('location')}`
    assert.doesNotMatch(text, /evil/, route)
    assert.doesNotMatch(text, /;id;/, route)
  }
})

test('with PUBLIC_URL every written address is that one, whatever the Host says', async () => {
  const settled = await startLoginGateway({ env: { PUBLIC_URL: 'https://gateway.example.com' } })
  try {
    for (const route of routes) {
      const answer = await sendRaw(
        settled.port,
        `GET ${route} HTTP/1.1\r\nHost: evil.tld\r\nConnection: close\r\n\r\n`,
        { waitMs: 1000 },
      )
      assert.equal(answer.status, 200, route)
      assert.doesNotMatch(answer.body, /evil/)
      assert.match(answer.body, /https:\/\/gateway\.example\.com/)
    }
    const start = await fetch(`${settled.url}/auth/sso/${settled.idpId}/start`, { redirect: 'manual' })
    assert.equal(start.headers.get('location'), `https://gateway.example.com/auth/sso/${settled.idpId}/start?hop=1`)
    const hopped = await fetch(`${settled.url}/auth/sso/${settled.idpId}/start?hop=1`, { redirect: 'manual' })
    const target = new URL(hopped.headers.get('location') ?? '')
    assert.equal(target.searchParams.get('redirect_uri'), 'https://gateway.example.com/portal')
  } finally {
    await settled.stop()
  }
})
