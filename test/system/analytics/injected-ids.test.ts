/**
 * SQL as a credential and as an id. Keys and people are found in memory, whole, and never one by one in the database, so
 * there is no warm or cold look-up of a key; ids in paths and the subject of a verified token do reach the database.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SESSION_TOKEN_PREFIX } from '../../../src/modules/sign-in/session-token.ts'
import { sqlPayloads } from '../../analytics/sql-payloads.ts'
import { addTargets, sampleBody, samplePath } from '../../app/sample-requests.ts'
import { type ApiApp, startApiApp } from '../../support/api-app.ts'
import type { Targets } from '../../support/extensions.ts'
import { addKey, startGateway, type TestGateway } from '../../support/gateway.ts'
import { tryPayloads } from './try-payloads.ts'

let app: ApiApp
let targets: Targets
let gateway: TestGateway
let key: string
before(async () => {
  app = await startApiApp()
  targets = await addTargets(app)
  gateway = await startGateway({ prepare: async (database) => void (key = (await addKey(database)).key) })
})
after(async () => {
  await gateway.stop()
  await app.stop()
})

const leaks = /SQLSTATE|syntax error|pg_|postgres|relation |operator does not|invalid input|\b(22|42)[0-9A-Z]{3}\b/i
const controlOf = (payload: string): string => 'n'.repeat(payload.length)

interface Answer {
  readonly status: number
  readonly text: string
}

/** Answers like a name of the same length that nobody has, and without a word of the database. */
async function assertLikeAName(what: string, ask: (value: string) => Promise<Answer>, wrap = (value: string) => value) {
  const expected = (await ask(wrap(controlOf(sqlPayloads[0] ?? '')))).status
  await tryPayloads(async (payload) => {
    const { status, text } = await ask(wrap(payload))
    // What is refused for its letters or its length is a bad request; nothing may be found or fail.
    assert.ok(status === expected || status === 400, `${what} ${payload}: ${status} instead of ${expected}`)
    // An answer may show what was sent, without the spaces around it.
    const shown = JSON.stringify(wrap(payload).trim()).slice(1, -1)
    assert.doesNotMatch(text.replaceAll(shown, ''), leaks, `${what} ${payload}`)
  })
}

async function fetchText(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, init)
  return { status: response.status, text: await response.text() }
}

/** A header has bytes. */
const inBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

for (const [shape, prefix] of [
  ['anything', ''],
  ['a key', 'sk-proxy-'],
  ['a session', SESSION_TOKEN_PREFIX],
] as const)
  test(`SQL that looks like ${shape} is no credential, as a bearer or in x-api-key, on every kind of route`, async () => {
    for (const path of ['/v1/models', '/me', '/admin/keys'])
      for (const header of ['authorization', 'x-api-key'])
        await assertLikeAName(
          `${header} of ${path}`,
          (value) =>
            fetchText(path, {
              headers: { [header]: header === 'x-api-key' ? inBytes(value) : `Bearer ${inBytes(value)}` },
            }),
          (value) => `${prefix}${value}`,
        )
  })

test('SQL as the id of a model finds no model', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const messages = [{ role: 'user', content: 'hi' }]
  for (const path of ['/v1/models/', '/inference-profiles/'])
    await assertLikeAName(path, (value) => fetchText(`${path}${encodeURIComponent(value)}`, { headers }))
  for (const path of ['/v1/messages', '/v1/messages/count_tokens'])
    await assertLikeAName(path, (model) =>
      fetchText(path, { method: 'POST', headers, body: JSON.stringify({ model, max_tokens: 5, messages }) }),
    )
  const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages })
  for (const operation of ['invoke', 'invoke-with-response-stream', 'count-tokens'])
    await assertLikeAName(operation, (model) =>
      fetchText(`/model/${encodeURIComponent(model)}/${operation}`, { method: 'POST', headers, body }),
    )
})

test('SQL in place of any id of any path of the admin API and of /me finds nothing', async () => {
  const asked = app.routes.flatMap((route) =>
    /^\/(admin|me)\//.test(route.path)
      ? [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ route, name }))
      : [],
  )
  assert.ok(asked.length > 30, `${asked.length}`)
  for (const { route, name } of asked) {
    const [before = '', later = ''] = route.path.split(`{${name}}`)
    const rest = {
      before: samplePath({ ...route, path: before }, targets),
      later: samplePath({ ...route, path: later }, targets),
    }
    const body = sampleBody(route, targets)
    await assertLikeAName(`${route.method} ${route.path} {${name}}`, async (value) => {
      const path = `${rest.before}${encodeURIComponent(value)}${rest.later}`
      const answer = await app.call(route.method, path, { as: app.admin, ...(body === undefined ? {} : { body }) })
      // A view is saved under whatever name it is given, up to fifty of them: none is left for the next one.
      if (route.path === '/me/views/{name}') await app.database.pool.query('delete from saved_views')
      return { status: answer.status, text: JSON.stringify(answer.body ?? '') }
    })
  }
})
