import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Grant, grants, openingGrants } from '../../src/foundation/domain/access.ts'
import { type Route, readRule } from '../../src/foundation/http/route.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { nameOf } from '../support/api-coverage.ts'
import { extensionSamples, type Targets } from '../support/extensions.ts'
import {
  adminsOnly,
  type Caller,
  everybodyForThemself,
  everyLead,
  forAudit,
  forBilling,
  forItsLead,
  forOps,
  personsOnly,
  type Row,
} from './roles.ts'
import { addTargets, sampleBody, samplePath, stateOf } from './sample-requests.ts'

/** Written by hand and not taken from the routes: a route that declares the wrong access must fail here. */
const ofModules: Readonly<Record<string, Row>> = {
  'POST /admin/keys': adminsOnly,
  'GET /admin/keys': { ...forAudit, ...everyLead },
  'GET /admin/keys/{key_id}': forAudit,
  'PATCH /admin/keys/{key_id}': adminsOnly,
  'DELETE /admin/keys/{key_id}': adminsOnly,
  'POST /admin/keys/{key_id}/revoke': adminsOnly,
  'POST /admin/keys/{key_id}/rotate': adminsOnly,
  'POST /admin/teams': adminsOnly,
  'GET /admin/teams': forAudit,
  'GET /admin/teams/{team_id}': forItsLead,
  'PATCH /admin/teams/{team_id}': adminsOnly,
  'DELETE /admin/teams/{team_id}': adminsOnly,
  'GET /admin/teams/{team_id}/members': forItsLead,
  'GET /admin/teams/{team_id}/budget': forItsLead,
  'PUT /admin/teams/{team_id}/budget': adminsOnly,
  'DELETE /admin/teams/{team_id}/budget': adminsOnly,
  'POST /admin/users': adminsOnly,
  'GET /admin/users': forAudit,
  'GET /admin/users/{user_id}': forAudit,
  'PATCH /admin/users/{user_id}': adminsOnly,
  'DELETE /admin/users/{user_id}': adminsOnly,
  'PUT /admin/users/{user_id}/team': adminsOnly,
  'DELETE /admin/users/{user_id}/identity': adminsOnly,
  'GET /admin/users/{user_id}/sessions': forAudit,
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
  'GET /admin/settings': adminsOnly,
  'PUT /admin/settings/{key}': adminsOnly,
  'GET /admin/websearch-mode': adminsOnly,
  'PUT /admin/websearch-mode': adminsOnly,
  'POST /admin/websearch-mode/test': adminsOnly,
  'GET /admin/budgets': forBilling,
  'GET /admin/teams/{team_id}/budget/top-ups': adminsOnly,
  'POST /admin/teams/{team_id}/budget/top-ups': adminsOnly,
  'GET /admin/users/{user_id}/budget/top-ups': adminsOnly,
  'POST /admin/users/{user_id}/budget/top-ups': adminsOnly,
  'DELETE /admin/budgets/top-ups/{top_up_id}': adminsOnly,
  'GET /admin/budget-requests': { ...adminsOnly, ...everyLead },
  'POST /admin/budget-requests/{budget_request_id}/approve': { ...adminsOnly, ...everyLead },
  'POST /admin/budget-requests/{budget_request_id}/decline': { ...adminsOnly, ...everyLead },
  'GET /admin/pricing': forBilling,
  'PUT /admin/pricing/{model_id}': adminsOnly,
  'DELETE /admin/pricing/{model_id}': adminsOnly,
  'POST /admin/pricing/refresh': adminsOnly,
  'POST /admin/usage/recount': adminsOnly,
  'GET /admin/status': forOps,
  'GET /admin/health/history': forOps,
  'GET /admin/logs': forOps,
  'GET /admin/audit': forAudit,
  'GET /admin/analytics/org/overview': { ...forBilling, ...everyLead },
  'GET /admin/analytics/org/spend': { ...forBilling, ...everyLead },
  'GET /admin/analytics/org/activity': { ...forBilling, ...everyLead },
  'GET /admin/analytics/org/models': { ...forBilling, ...everyLead },
  'GET /admin/analytics/org/tools': { ...forBilling, ...everyLead },
  'GET /admin/analytics/org/export': { ...forBilling, ...everyLead },
  'GET /admin/analytics/explore': { ...forBilling, ...everyLead },
  'GET /admin/analytics/unit-price': { ...forBilling, ...everyLead },
  'GET /admin/analytics/adoption': { ...forBilling, ...everyLead },
  'GET /admin/requests': { ...forOps, ...everyLead },
  'GET /admin/requests/{request_id}': { ...forOps, ...everyLead },
  'GET /admin/sessions': adminsOnly,
  'GET /admin/events': forOps,
  'GET /admin/notifications/config': forOps,
  'PUT /admin/notifications/config': adminsOnly,
  'DELETE /admin/notifications/config': adminsOnly,
  'DELETE /admin/notifications/draft': adminsOnly,
  'POST /admin/notifications/test': forOps,
  'POST /admin/notifications/activate': adminsOnly,
  'PUT /admin/notifications/categories': adminsOnly,
  'GET /me': everybodyForThemself,
  'GET /me/budget': everybodyForThemself,
  'GET /me/budget/requests': everybodyForThemself,
  'POST /me/budget/requests': personsOnly,
  'DELETE /me/budget/requests/{budget_request_id}': personsOnly,
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

const expected = {
  ...ofModules,
  ...Object.assign({}, ...extensionSamples.map(({ roles }) => roles)),
} as typeof ofModules

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
  const otherTeam = await app.addTeam()
  const all = await app.addUser({ teamId: targets.teamId, grants })
  const inactiveHolder = await app.addUser({ teamId: targets.teamId, grants })
  await app.call('PATCH', `/admin/users/${inactiveHolder.id}`, { as: app.admin, body: { active: false } })
  const holder = async (grant: Grant, teamId: string | null = null) =>
    app.sessionOf(await app.addUser({ grants: [grant], teamId }))
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
    'team lead': await holder('team:lead', targets.teamId),
    'other-team lead': await holder('team:lead', otherTeam),
    'lead of no team': await holder('team:lead'),
    biller: await holder('billing:read', targets.teamId),
    auditor: await holder('audit:read', targets.teamId),
    operator: await holder('ops:operate', targets.teamId),
    'key of somebody with every grant': (await app.addKey({ userId: all.id })).key,
    'inactive with every grant': app.sessionOf(inactiveHolder),
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

test('grants open nothing but routes for administrators', () => {
  for (const route of app.routes)
    if (route.access !== 'admin') assert.deepEqual(openingGrants(readRule(route)), [], nameOf(route))
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
      const path = route.path
        .replace('{key}', 'nope')
        .replace('{team_id}', caller === 'team lead' ? targets.teamId : '{nothing}')
        .replace(/\{\w+\}/g, '0190a000-0000-7000-8000-0000000000ff')
      const { status } = await app.call(route.method, path, { as })
      assert.ok([200, 204, 400, 404, 409].includes(status), `${nameOf(route)} as ${caller}: ${status}`)
    }
  }
})

test('every declared 401 and 403 was seen', () => {
  for (const tag of new Set(app.routes.map((route) => route.tag)))
    app.assertCovered(tag, (status) => status === 401 || status === 403)
})
