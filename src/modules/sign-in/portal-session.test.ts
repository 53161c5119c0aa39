import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSchemeReader, deriveCsrfToken, findPortalToken, readCookies, sessionCookie } from './portal-session.ts'

test('over https the cookie has the host prefix and is the only one that counts; over http the plain one', () => {
  assert.equal(
    sessionCookie('sess-x', 'https', 60),
    '__Host-causeway_session=sess-x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(
    sessionCookie('sess-x', 'http', 60),
    'causeway_session=sess-x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
  )
  const both = { cookie: 'causeway_session=sess-planted; __Host-causeway_session=sess-own' }
  assert.equal(findPortalToken(both, 'https'), 'sess-own')
  assert.equal(findPortalToken({ cookie: 'causeway_session=sess-planted' }, 'https'), undefined)
  assert.equal(findPortalToken(both, 'http'), 'sess-planted')
})

test('any credential in a header switches the cookie off; empty ones do not', () => {
  const cookie = 'causeway_session=sess-own'
  for (const headers of [
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'bearer  ' },
    { 'x-api-key': ' ' },
  ])
    assert.equal(findPortalToken({ ...headers, cookie }, 'http'), 'sess-own', JSON.stringify(headers))
  for (const headers of [{ authorization: 'Bearer x' }, { authorization: 'Basic x' }, { 'x-api-key': 'x' }])
    assert.equal(findPortalToken({ ...headers, cookie }, 'http'), undefined, JSON.stringify(headers))
})

test('cookies are read by name; of two the first counts', () => {
  const cookies = readCookies({ cookie: 'a=1;b = 2 ; a=3; =4; c; d=x=y' })
  assert.deepEqual(
    [...cookies],
    [
      ['a', '1'],
      ['b', '2'],
      ['d', 'x=y'],
    ],
  )
  assert.equal(readCookies({}).size, 0)
})

test('the scheme is what the browser sees: TLS, a proxy that says https, or the host of an https PUBLIC_URL', () => {
  const readScheme = createSchemeReader('https://gw.example')
  assert.equal(readScheme({}, 'https'), 'https')
  assert.equal(readScheme({ 'x-forwarded-proto': 'https' }, 'http'), 'https')
  assert.equal(readScheme({ host: 'gw.example' }, 'http'), 'https')
  assert.equal(readScheme({ host: '127.0.0.1:8080' }, 'http'), 'http')
  assert.equal(createSchemeReader('http://gw.example')({ host: 'gw.example' }, 'http'), 'http')
})

test('each session has its own page token, which tells nothing about the session', () => {
  assert.notEqual(deriveCsrfToken('sess-a'), deriveCsrfToken('sess-b'))
  assert.match(deriveCsrfToken('sess-a'), /^[\w-]{43}$/)
})
