import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { controlRoutes, type RegisteredPorts } from '../../src/app/register.ts'
import { nameOf } from '../support/api-coverage.ts'

/** Which file shows that every declared answer of a resource was exercised. */
const fileOf: Readonly<Record<string, string>> = {
  Keys: '../keys/keys',
  Teams: '../people/teams',
  Users: '../people/users',
  'Identity providers': '../sign-in/idps',
  Provisioning: '../scim/scim-admin',
  Settings: '../settings/settings',
  'Web search': '../web-search/web-search',
  Budgets: '../budgets/budgets',
  'Budget requests': '../budgets/budget-requests',
  'Spend limits': '../admin-api/effective-limits',
  'Budget simulation': '../budgets/budget-simulation',
  Pricing: '../models/pricing',
  Status: '../operations/status',
  Log: '../operations/log',
  Audit: '../operations/audit',
  Security: '../security-review/security',
  Notifications: '../notifications/config',
  Me: 'me',
  'Saved views': '../analytics/own-views',
  'Sign-ins': '../sign-in/sign-ins',
  Analytics: '../analytics/bad-input',
  Reconciliation: '../reconciliation/reports',
  Organization: '../admin-api/answers',
  Requests: '../analytics/requests',
  Sessions: '../analytics/sessions',
  Live: '../analytics/events',
}

/** Whatever the path names is made when it is not there. */
const upserts = ['PUT /me/views/{name}', 'PUT /admin/pricing/{model_id}']

// The list is data: making it needs none of the ports.
const routes = controlRoutes({} as RegisteredPorts)

test('every resource has a test file that accounts for all its declared answers', () => {
  for (const tag of new Set(routes.map((route) => route.tag))) {
    const file = fileOf[tag]
    assert.ok(file !== undefined, `no test file for the tag ${tag}`)
    const source = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8')
    assert.ok(
      source.includes(`app.assertCovered('${tag}', isOwnStatus)`),
      `${file}.test.ts does not account for ${tag}`,
    )
  }
})

test('every route declares one success, the refusals of its access, and schemas for what it answers', () => {
  for (const route of routes) {
    const statuses = Object.keys(route.answers).map(Number)
    const [success, ...others] = statuses.filter((status) => status < 300)
    assert.ok(success !== undefined && others.length === 0, nameOf(route))
    assert.equal(route.answers[success]?.schema === undefined, success === 204, nameOf(route))
    assert.ok(statuses.includes(401) && statuses.includes(403), nameOf(route))
    if (route.path.includes('{') && !upserts.includes(nameOf(route))) assert.ok(statuses.includes(404), nameOf(route))
  }
})

test('no two routes answer the same request', () => {
  const names = routes.map(nameOf)
  assert.equal(new Set(names).size, names.length)
})
