import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Grant, grants } from '../../src/foundation/domain/access.ts'
import { startLoginGateway } from '../sign-in/login-app.ts'
import { type Access, type ExtensionSamples, extensionSamples } from '../support/extensions.ts'
import { addKey, addTeam, login, type TestGateway } from '../support/gateway.ts'

/**
 * Administration is not listed: it is for administrators. These routes of it a person with one of the grants may call too; every
 * other one is closed to them, whatever is added later.
 */
const grantsOfModules: Readonly<Record<string, readonly Grant[]>> = {
  'GET /admin/analytics/adoption': ['billing:read', 'team:lead'],
  'GET /admin/analytics/explore': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/activity': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/export': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/models': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/overview': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/spend': ['billing:read', 'team:lead'],
  'GET /admin/analytics/org/tools': ['billing:read', 'team:lead'],
  'GET /admin/analytics/unit-price': ['billing:read', 'team:lead'],
  'GET /admin/audit': ['audit:read'],
  'GET /admin/budget-requests': ['team:lead'],
  'POST /admin/budget-requests/{budget_request_id}/approve': ['team:lead'],
  'POST /admin/budget-requests/{budget_request_id}/decline': ['team:lead'],
  'GET /admin/budgets': ['billing:read'],
  'GET /admin/capabilities': ['ops:operate'],
  'GET /admin/endpoints': ['ops:operate'],
  'GET /admin/endpoints/{id}': ['ops:operate'],
  'GET /admin/endpoints/{id}/drain': ['ops:operate'],
  'GET /admin/endpoints/{id}/models': ['ops:operate'],
  'GET /admin/endpoints/{id}/quotas': ['ops:operate'],
  'POST /admin/endpoints/{id}/check': ['ops:operate'],
  'GET /admin/events': ['ops:operate'],
  'GET /admin/health/history': ['ops:operate'],
  'GET /admin/keys': ['audit:read', 'team:lead'],
  'GET /admin/keys/{key_id}': ['audit:read'],
  'GET /admin/logs': ['ops:operate'],
  'GET /admin/model-mappings': ['ops:operate'],
  'POST /admin/models/resolve': ['ops:operate'],
  'GET /admin/notifications/config': ['ops:operate'],
  'POST /admin/notifications/test': ['ops:operate'],
  'GET /admin/pricing': ['billing:read'],
  'GET /admin/requests': ['ops:operate', 'team:lead'],
  'GET /admin/requests/{request_id}': ['ops:operate', 'team:lead'],
  'GET /admin/status': ['ops:operate'],
  'GET /admin/teams': ['audit:read'],
  'GET /admin/teams/{team_id}': ['team:lead'],
  'GET /admin/teams/{team_id}/budget': ['team:lead'],
  'GET /admin/teams/{team_id}/members': ['team:lead'],
  'GET /admin/users': ['audit:read'],
  'GET /admin/users/{user_id}': ['audit:read'],
  'GET /admin/users/{user_id}/sessions': ['audit:read'],
}

const accessOfModules: Readonly<Record<string, Access>> = {
  'GET /': 'anybody',
  'HEAD /': 'anybody',
  'GET /.well-known/oauth-authorization-server': 'anybody',
  'HEAD /api/hello': 'anybody',
  'GET /auth/cli/callback': 'anybody',
  'POST /auth/cli/complete': 'a person',
  'GET /auth/cli/login': 'anybody',
  'GET /auth/cli/poll': 'anybody',
  'GET /auth/cli/request': 'a person',
  'POST /auth/login': 'anybody',
  'POST /auth/logout': 'a person',
  'GET /auth/me': 'any credential',
  'GET /auth/providers': 'anybody',
  'GET /auth/setup': 'anybody',
  'GET /auth/setup/token-script': 'anybody',
  'GET /auth/sso/{idp_id}/start': 'anybody',
  'GET /device': 'anybody',
  'POST /device': 'a person',
  'GET /health': 'anybody',
  'HEAD /health': 'anybody',
  'GET /inference-profiles': 'any credential',
  'GET /inference-profiles/{id}': 'any credential',
  'GET /metrics': 'anybody',
  'POST /model/{model_id}/count-tokens': 'any credential',
  'POST /model/{model_id}/invoke': 'any credential',
  'POST /model/{model_id}/invoke-with-response-stream': 'any credential',
  'POST /oauth/device_authorization': 'anybody',
  'POST /oauth/revoke': 'anybody',
  'POST /oauth/token': 'anybody',
  'GET /openapi.json': 'anybody',
  'GET /protocol': 'anybody',
  'GET /ready': 'anybody',
  'HEAD /ready': 'anybody',
  'GET /setup': 'anybody',
  'GET /setup.ps1': 'anybody',
  'POST /v1/logs': 'any credential',
  'POST /v1/messages': 'any credential',
  'POST /v1/messages/count_tokens': 'any credential',
  'POST /v1/metrics': 'any credential',
  'GET /v1/models': 'any credential',
  'GET /v1/models/{id}': 'any credential',
  'POST /v1/traces': 'any credential',
}

const grantsOf = { ...grantsOfModules, ...merged(({ grants: ofExtension }) => ofExtension) }
const accessOf = { ...accessOfModules, ...merged(({ access }) => access) }
/** Whole folders of extensions. */
const accessBelow = merged((samples) => samples.accessBelow)

function merged<T>(read: (samples: ExtensionSamples) => Readonly<Record<string, T>> | undefined): Record<string, T> {
  return Object.assign({}, ...extensionSamples.map(read))
}

function requireExpectation(name: string): Access {
  const [method, path = ''] = name.split(' ')
  const ofExtension = Object.entries(accessBelow).find(([folder]) => path.startsWith(folder))?.[1]
  if (ofExtension !== undefined) return ofExtension
  if (path.startsWith('/admin/')) return 'an administrator'
  if (path.startsWith('/portal')) return 'anybody'
  if (path === '/me' || path.startsWith('/me/')) return method === 'GET' ? 'any credential' : 'a person'
  const access = accessOf[name]
  assert.ok(access !== undefined, `${name} is not in the table: decide who may call it`)
  return access
}

type Standing = 'nobody' | 'shut out' | 'key' | 'person' | 'administrator'

interface Caller {
  readonly name: string
  readonly standing: Standing
  readonly grant?: Grant
  readonly credential: () => Promise<string | undefined>
}

/** A session ends by logging out with it, so every call of a person brings a fresh one. */
let callers: readonly Caller[] = []
let app: TestGateway
let routes: readonly string[] = []
let crewId = ''

function emailOf(grant: Grant): string {
  return `${grant.replace(':', '-')}@example.com`
}

before(async () => {
  app = await startLoginGateway()
  const admin = await login(app.url)
  const call = async (method: string, path: string, body: object) => {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.ok(response.status < 300, `${method} ${path}: ${response.status}`)
    return (await response.json()) as { id: string; key: string }
  }
  assert.ok(app.database !== undefined)
  const database = app.database
  const teamId = await addTeam(database, 'crew', { strategy: 'sticky_user', endpointIds: [] })
  const person = async (subject: string, role: string) => (await call('POST', '/admin/users', { subject, role })).id
  const memberId = await person('member@example.com', 'member')
  await call('PUT', `/admin/users/${memberId}/team`, { team_id: teamId })
  await person('other@example.com', 'member')
  for (const grant of grants)
    await call('POST', '/admin/users', { subject: emailOf(grant), grants: [grant], team_id: teamId })
  const holder = await call('POST', '/admin/users', { subject: 'all@example.com', grants, team_id: teamId })
  crewId = teamId
  const adminId = await person('boss@example.com', 'admin')
  const goneId = await person('gone@example.com', 'admin')
  const jwtOf = (email: string) =>
    app.control.mintToken({ claims: { sub: `sub-${email}`, email, email_verified: true } })
  await fetch(`${app.url}/me`, { headers: { authorization: `Bearer ${await jwtOf('gone@example.com')}` } })
  await call('PATCH', `/admin/users/${goneId}`, { active: false })
  const keyOf = async (wishes: object) => (await call('POST', '/admin/keys', { name: 'a key', ...wishes })).key
  const revoked = await call('POST', '/admin/keys', { name: 'revoked', user_id: memberId })
  await call('POST', `/admin/keys/${revoked.id}/revoke`, {})
  const memberKey = await keyOf({ user_id: memberId })
  const adminKey = await keyOf({ user_id: adminId })
  const holderKey = await keyOf({ user_id: holder.id })
  const teamKey = await keyOf({ team_id: teamId })
  const expired = (await addKey(database, { userId: memberId, expiresAtMs: Date.now() - 1 })).key
  const always = (credential: string | undefined) => async () => credential
  callers = [
    { name: 'nobody', standing: 'nobody', credential: always(undefined) },
    { name: 'a word', standing: 'nobody', credential: always('garbage') },
    { name: 'an unknown key', standing: 'nobody', credential: always(`sk-proxy-${'a'.repeat(43)}`) },
    { name: 'a revoked key', standing: 'nobody', credential: always(revoked.key) },
    { name: 'an expired key', standing: 'nobody', credential: always(expired) },
    { name: 'a deactivated admin', standing: 'shut out', credential: () => jwtOf('gone@example.com') },
    { name: "a team's key", standing: 'key', credential: always(teamKey) },
    { name: "a member's key", standing: 'key', credential: always(memberKey) },
    { name: "an admin's key", standing: 'key', credential: always(adminKey) },
    { name: 'a member by token', standing: 'person', credential: () => jwtOf('member@example.com') },
    { name: 'a member of no team', standing: 'person', credential: () => jwtOf('other@example.com') },
    ...grants.map((grant) => ({
      name: `a person with ${grant}`,
      standing: 'person' as const,
      grant,
      credential: () => jwtOf(emailOf(grant)),
    })),
    { name: 'a key of somebody with every grant', standing: 'key', credential: always(holderKey) },
    { name: 'an admin by token', standing: 'administrator', credential: () => jwtOf('boss@example.com') },
    { name: 'an admin by session', standing: 'administrator', credential: () => login(app.url) },
  ]
  const description = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  routes = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
})

after(() => app.stop())

const mayEnter: Readonly<Record<Access, readonly Standing[]>> = {
  anybody: ['nobody', 'shut out', 'key', 'person', 'administrator'],
  'any credential': ['key', 'person', 'administrator'],
  'a person': ['person', 'administrator'],
  'an administrator': ['administrator'],
  'a provisioning token': [],
}

function refusal(access: Access, standing: Standing): number {
  if (standing === 'nobody' || access === 'a provisioning token') return 401
  return 403
}

function isGranted(name: string, { grant }: Caller): boolean {
  return grant !== undefined && (grantsOf[name]?.includes(grant) ?? false)
}

async function knock(name: string, caller: Caller): Promise<number> {
  const [method = '', path = ''] = name.split(' ')
  // With ids of nothing and an empty body: it shows who gets in without changing what the next one finds.
  const place = path
    .replace('{key}', 'nope')
    .replace('{model_id}', 'nope')
    .replace('{team_id}', caller.grant === 'team:lead' ? crewId : '{nothing}')
    .replace(/\{\w+\}/g, '0190a000-0000-7000-8000-0000000000ff')
  const credential = await caller.credential()
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const response = await fetch(`${app.url}${place}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: '{}' } : {}),
    signal: AbortSignal.timeout(120_000),
  })
  await response.body?.cancel()
  return response.status
}

test('every route of the gateway lets in whom it should, and nobody else, for every kind of caller', async () => {
  assert.ok(callers.length >= 16)
  assert.ok(routes.length > 100, `${routes.length} routes`)
  let refused = 0
  for (const name of routes) {
    const access = requireExpectation(name)
    const statuses = await Promise.all(callers.map((caller) => knock(name, caller)))
    for (const [index, caller] of callers.entries()) {
      const status = statuses[index] ?? 0
      const place = `${name} as ${caller.name}: ${status}`
      if (!mayEnter[access].includes(caller.standing) && !isGranted(name, caller)) {
        assert.equal(status, refusal(access, caller.standing), place)
        refused += 1
        continue
      }
      if (name === 'POST /auth/login') assert.equal(status, 400, place)
      else assert.ok(status !== 401 && status !== 403, place)
      assert.ok(status < 500, place)
    }
  }
  assert.ok(refused > 500, `${refused} refusals`)
})

test('every line of the table is a route', () => {
  for (const name of [...Object.keys(accessOf), ...Object.keys(grantsOf)])
    assert.ok(routes.includes(name), `${name} is gone: take it out of the table`)
})
