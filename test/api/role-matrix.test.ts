import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from '../../src/http/route.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { nameOf } from '../support/api-coverage.ts'
import { addTargets, sampleBody, samplePath, stateOf, type Targets } from './sample-requests.ts'

type Caller =
  | 'none'
  | 'garbage'
  | 'revoked key'
  | 'expired key'
  | 'key without user'
  | 'member key'
  | 'member session'
  | 'member token'
  | 'other-team member'
  | "admin's key"
  | 'admin session'
  | 'admin token'
  | 'expired session'
  | 'inactive admin'

type Cell = 401 | 403 | 'in'
type Row = Readonly<Record<Caller, Cell>>

const outsiders = {
  none: 401,
  garbage: 401,
  'revoked key': 401,
  'expired key': 401,
  'expired session': 401,
  'inactive admin': 403,
} as const

const adminsOnly: Row = {
  ...outsiders,
  'key without user': 403,
  'member key': 403,
  'member session': 403,
  'member token': 403,
  'other-team member': 403,
  "admin's key": 403,
  'admin session': 'in',
  'admin token': 'in',
}

const personsOnly: Row = {
  ...adminsOnly,
  'member session': 'in',
  'member token': 'in',
  'other-team member': 'in',
}

const everybodyForThemself: Row = {
  ...personsOnly,
  'key without user': 'in',
  'member key': 'in',
  "admin's key": 'in',
}

/** Written by hand and not taken from the routes: a route that declares the wrong access must fail here. */
const expected: Readonly<Record<string, Row>> = {
  'POST /admin/keys': adminsOnly,
  'GET /admin/keys': adminsOnly,
  'GET /admin/keys/{key_id}': adminsOnly,
  'PATCH /admin/keys/{key_id}': adminsOnly,
  'DELETE /admin/keys/{key_id}': adminsOnly,
  'POST /admin/keys/{key_id}/revoke': adminsOnly,
  'POST /admin/keys/{key_id}/rotate': adminsOnly,
  'POST /admin/teams': adminsOnly,
  'GET /admin/teams': adminsOnly,
  'GET /admin/teams/{team_id}': adminsOnly,
  'PATCH /admin/teams/{team_id}': adminsOnly,
  'DELETE /admin/teams/{team_id}': adminsOnly,
  'GET /admin/teams/{team_id}/members': adminsOnly,
  'GET /admin/teams/{team_id}/budget': adminsOnly,
  'PUT /admin/teams/{team_id}/budget': adminsOnly,
  'DELETE /admin/teams/{team_id}/budget': adminsOnly,
  'POST /admin/users': adminsOnly,
  'GET /admin/users': adminsOnly,
  'GET /admin/users/{user_id}': adminsOnly,
  'PATCH /admin/users/{user_id}': adminsOnly,
  'DELETE /admin/users/{user_id}': adminsOnly,
  'PUT /admin/users/{user_id}/team': adminsOnly,
  'DELETE /admin/users/{user_id}/identity': adminsOnly,
  'GET /admin/users/{user_id}/sessions': adminsOnly,
  'DELETE /admin/users/{user_id}/sessions': adminsOnly,
  'DELETE /admin/users/{user_id}/sessions/{session_id}': adminsOnly,
  'GET /admin/users/{user_id}/budget': adminsOnly,
  'PUT /admin/users/{user_id}/budget': adminsOnly,
  'DELETE /admin/users/{user_id}/budget': adminsOnly,
  'POST /admin/idps': adminsOnly,
  'GET /admin/idps': adminsOnly,
  'POST /admin/idps/test': adminsOnly,
  'GET /admin/idps/{id}': adminsOnly,
  'PATCH /admin/idps/{id}': adminsOnly,
  'DELETE /admin/idps/{id}': adminsOnly,
  'POST /admin/idps/{id}/scim-tokens': adminsOnly,
  'GET /admin/idps/{id}/scim-tokens': adminsOnly,
  'DELETE /admin/idps/{id}/scim-tokens/{token_id}': adminsOnly,
  'GET /admin/idps/{id}/scim': adminsOnly,
  'PUT /admin/idps/{id}/scim': adminsOnly,
  'GET /admin/settings': adminsOnly,
  'PUT /admin/settings/{key}': adminsOnly,
  'GET /admin/websearch-mode': adminsOnly,
  'PUT /admin/websearch-mode': adminsOnly,
  'POST /admin/websearch-mode/test': adminsOnly,
  'GET /admin/budgets': adminsOnly,
  'GET /admin/pricing': adminsOnly,
  'PUT /admin/pricing/{model_id}': adminsOnly,
  'DELETE /admin/pricing/{model_id}': adminsOnly,
  'POST /admin/pricing/refresh': adminsOnly,
  'POST /admin/usage/recount': adminsOnly,
  'GET /admin/status': adminsOnly,
  'GET /admin/health/history': adminsOnly,
  'GET /admin/logs': adminsOnly,
  'GET /admin/audit': adminsOnly,
  'GET /admin/analytics/org/overview': adminsOnly,
  'GET /admin/analytics/org/spend': adminsOnly,
  'GET /admin/analytics/org/activity': adminsOnly,
  'GET /admin/analytics/org/models': adminsOnly,
  'GET /admin/analytics/org/tools': adminsOnly,
  'GET /admin/analytics/org/export': adminsOnly,
  'GET /admin/requests': adminsOnly,
  'GET /admin/requests/{request_id}': adminsOnly,
  'GET /admin/sessions': adminsOnly,
  'GET /admin/events': adminsOnly,
  'GET /admin/notifications/config': adminsOnly,
  'PUT /admin/notifications/config': adminsOnly,
  'DELETE /admin/notifications/config': adminsOnly,
  'DELETE /admin/notifications/draft': adminsOnly,
  'POST /admin/notifications/test': adminsOnly,
  'POST /admin/notifications/activate': adminsOnly,
  'PUT /admin/notifications/categories': adminsOnly,
  'GET /me': everybodyForThemself,
  'GET /me/budget': everybodyForThemself,
  'GET /me/keys': everybodyForThemself,
  'GET /me/client': everybodyForThemself,
  'GET /me/sessions': everybodyForThemself,
  'DELETE /me/sessions': personsOnly,
  'DELETE /me/sessions/{session_id}': personsOnly,
  'GET /me/usage': everybodyForThemself,
  'GET /me/requests': everybodyForThemself,
  'GET /me/requests/{request_id}': everybodyForThemself,
  'POST /me/keys': personsOnly,
  'POST /me/keys/{key_id}/revoke': personsOnly,
  'POST /me/keys/{key_id}/rotate': personsOnly,
  'GET /me/search-provider': everybodyForThemself,
  'PUT /me/search-provider': personsOnly,
  'DELETE /me/search-provider': personsOnly,
  'POST /me/search-provider/test': personsOnly,
}

let app: ApiApp
let targets: Targets
let credentials: Readonly<Record<Caller, string | undefined>>
let outgoing = 0

before(async () => {
  app = await startApiApp({
    ports: {
      fetchJson: async () => {
        outgoing += 1
        throw new Error('nobody is there')
      },
      search: async () => {
        outgoing += 1
        return { kind: 'failed', reason: 'unavailable', message: 'nobody is there' }
      },
      refreshPrices: async () => {
        outgoing += 1
        return { listed: 0, changed: 0, skipped: [], regions: [] }
      },
      notifications: {
        fallback: null,
        send: async () => {
          outgoing += 1
          throw new Error('nobody is there')
        },
      },
    },
  })
  targets = await addTargets(app)
  credentials = await makeCredentials()
})
after(() => app.stop())

async function makeCredentials(): Promise<typeof credentials> {
  const member = await app.addUser({ teamId: targets.teamId })
  const other = await app.addUser({ teamId: await app.addTeam() })
  const inactive = await app.addUser({ role: 'admin' })
  await app.call('PATCH', `/admin/users/${inactive.id}`, { as: app.admin, body: { active: false } })
  const revoked = await app.addKey({ userId: member.id })
  await app.call('POST', `/admin/keys/${revoked.id}/revoke`, { as: app.admin })
  return {
    none: undefined,
    garbage: 'garbage',
    'revoked key': revoked.key,
    'expired key': (await app.addKey({ userId: member.id, expiresAtMs: Date.now() - 1 })).key,
    'key without user': (await app.addKey()).key,
    'member key': (await app.addKey({ userId: member.id })).key,
    'member session': app.sessionOf(member),
    'member token': `jwt-${member.subject}`,
    'other-team member': app.sessionOf(other),
    "admin's key": (await app.addKey({ userId: app.adminUser.id })).key,
    'admin session': app.admin,
    'admin token': `jwt-${app.adminUser.subject}`,
    'expired session': app.sessionOf(app.adminUser, -1),
    'inactive admin': app.sessionOf(inactive),
  }
}

function expectedOf(route: Route): Row {
  const row = expected[nameOf(route)]
  assert.ok(row !== undefined, `${nameOf(route)} is not in the table: decide who may call it`)
  return row
}

test('every route has an expectation, and every expectation a route', () => {
  assert.deepEqual(Object.keys(expected).sort(), app.routes.map(nameOf).sort())
  for (const route of app.routes) assert.notEqual(route.access, 'open', nameOf(route))
})

test('whoever is refused learns nothing, changes nothing and makes the gateway call nobody', async () => {
  const before = await stateOf(app)
  const callers = Object.entries(credentials) as [Caller, string | undefined][]
  let cells = 0
  for (const route of app.routes) {
    const row = expectedOf(route)
    for (const [caller, as] of callers.filter(([name]) => row[name] !== 'in')) {
      // A request that would succeed for an administrator, so that only the refusal stands in its way.
      const body = sampleBody(route, targets)
      const answer = await app.call(route.method, samplePath(route, targets), { as, body })
      assert.equal(answer.status, row[caller], `${nameOf(route)} as ${caller}`)
      assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'request_id', 'type'])
      // The same refusal for a body that makes no sense: who is refused is not told whether it was valid.
      if (route.body === undefined) continue
      const broken = await app.call(route.method, samplePath(route, targets), { as, text: '{"nope":' })
      assert.deepEqual(broken.body.error, answer.body.error, `${nameOf(route)} as ${caller}`)
      cells += 1
    }
  }
  assert.equal(await stateOf(app), before)
  assert.equal(outgoing, 0)
  assert.ok(cells > 150)
})

test('whoever is let in gets past every credential and role check', async () => {
  const callers = Object.entries(credentials) as [Caller, string | undefined][]
  // Last: whoever signs out everywhere is let in nowhere afterwards.
  const endsOwn = (route: Route): boolean => nameOf(route) === 'DELETE /me/sessions'
  for (const route of [...app.routes].sort((a, b) => Number(endsOwn(a)) - Number(endsOwn(b)))) {
    const row = expectedOf(route)
    for (const [caller, as] of callers.filter(([name]) => row[name] === 'in')) {
      // Without a body and with ids of nothing: the answer shows who got in without changing what the next one finds.
      const path = route.path.replace('{key}', 'nope').replace(/\{\w+\}/g, '0190a000-0000-7000-8000-0000000000ff')
      const { status } = await app.call(route.method, path, { as })
      assert.ok([200, 204, 400, 404, 409].includes(status), `${nameOf(route)} as ${caller}: ${status}`)
    }
  }
})

test('every declared 401 and 403 was seen', () => {
  for (const tag of new Set(app.routes.map((route) => route.tag)))
    app.assertCovered(tag, (status) => status === 401 || status === 403)
})
