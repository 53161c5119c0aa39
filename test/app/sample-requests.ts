/** For every operation one request that would succeed as an administrator, so that a refusal is never an accident. */
import type { Route } from '../../src/foundation/http/route.ts'
import { newId, newRequestId } from '../../src/foundation/platform/ids.ts'
import { createSignInStore } from '../../src/modules/sign-in/sign-ins.store.ts'
import type { ApiApp } from '../support/api-app.ts'
import { nameOf } from '../support/api-coverage.ts'
import { extensionSamples, type Targets } from '../support/extensions.ts'

const budget = { limit_usd: 5, period: 'daily', policy: 'standard' }
const topUp = { amount_usd: 3, reason: 'a release' }
const idp = (values: object = {}) => ({
  name: 'Sample',
  issuer_url: `https://${newId()}.example.com`,
  audience: 'gateway',
  auto_provision: false,
  default_role: 'member',
  allowed_domains: ['example.com'],
  user_claim: 'auto',
  enabled: true,
  client_id: 'cid',
  client_secret: 'secret',
  jwks_url: 'https://keys.example.com',
  ...values,
})
const price = {
  input_usd_per_mtok: 2,
  output_usd_per_mtok: 10,
  cache_read_usd_per_mtok: 0.2,
  cache_write_5m_usd_per_mtok: 2.5,
  cache_write_1h_usd_per_mtok: 4,
}
const notification = {
  destination_type: 'webhook',
  destination: 'https://hooks.example.com/gateway',
  secret: 'secret',
  categories: { budget: true, rate_limit: false },
}
const searchProvider = {
  provider_type: 'tavily',
  api_key: 'tvly-1',
  api_url: 'https://search.example.com/search',
  max_results: 3,
}
const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString()
const key = ({ userId, teamId }: Targets) => ({
  name: 'sample',
  rate_limit_rpm: 5,
  user_id: userId,
  team_id: teamId,
  expires_at: inOneDay(),
  allowed_models: ['m'],
})

/** Undefined where the operation takes no body. */
const ofModules: Readonly<Record<string, ((targets: Targets) => unknown) | undefined>> = {
  'POST /admin/keys': key,
  'PATCH /admin/keys/{key_id}': key,
  'POST /admin/keys/{key_id}/revoke': () => ({}),
  'POST /admin/keys/{key_id}/rotate': () => ({ grace_seconds: 5 }),
  'POST /admin/teams': () => ({ name: `team ${newId()}` }),
  'PATCH /admin/teams/{team_id}': () => ({ name: `team ${newId()}` }),
  'PUT /admin/teams/{team_id}/budget': () => ({ ...budget, member_limit_usd: 1 }),
  'POST /admin/users': () => ({ subject: `${newId()}@example.com`, email: 'a@example.com', role: 'member' }),
  'PATCH /admin/users/{user_id}': () => ({ email: 'b@example.com', role: 'member', active: true }),
  'PUT /admin/users/{user_id}/team': ({ teamId }) => ({ team_id: teamId }),
  'PUT /admin/users/{user_id}/budget': () => budget,
  'POST /admin/teams/{team_id}/budget/top-ups': () => topUp,
  'POST /admin/users/{user_id}/budget/top-ups': () => topUp,
  'POST /admin/budget-requests/{budget_request_id}/approve': () => ({ as: 'top_up', amount_usd: 2, note: 'for once' }),
  'POST /admin/budget-requests/{budget_request_id}/decline': () => ({ note: 'next month' }),
  'POST /me/budget/requests': () => topUp,
  'POST /admin/idps': () => idp(),
  'PATCH /admin/idps/{id}': () => idp(),
  'POST /admin/idps/test': () => idp({ token: 'e.e.e' }),
  'PUT /admin/settings/{key}': () => ({ value: true }),
  'PUT /admin/websearch-mode': () => ({ mode: 'global', provider: searchProvider }),
  'POST /admin/websearch-mode/test': () => ({ ...searchProvider, query: 'tides' }),
  'PUT /admin/pricing/{model_id}': () => price,
  'POST /admin/pricing/refresh': () => ({}),
  'POST /admin/usage/recount': () => ({}),
  'PUT /admin/notifications/config': () => notification,
  'POST /admin/notifications/test': () => ({}),
  'POST /admin/notifications/activate': () => ({}),
  'PUT /admin/notifications/categories': () => ({ categories: { budget: true, rate_limit: true } }),
  'POST /me/keys': () => ({ name: 'own', expires_at: inOneDay() }),
  'POST /me/keys/{key_id}/revoke': () => ({}),
  'POST /me/keys/{key_id}/rotate': () => ({ grace_seconds: 5 }),
  'PUT /me/search-provider': () => searchProvider,
  'POST /me/search-provider/test': () => ({ ...searchProvider, query: 'tides' }),
}

const bodies: typeof ofModules = { ...ofModules, ...Object.assign({}, ...extensionSamples.map((one) => one.bodies)) }

export function sampleBody(route: Route, targets: Targets): unknown {
  const make = bodies[nameOf(route)]
  if (make === undefined && route.body !== undefined) throw new Error(`no sample body for ${nameOf(route)}`)
  return make?.(targets)
}

export function samplePath(route: Route, targets: Targets): string {
  const values: Readonly<Record<string, string>> = {
    key_id: targets.keyId,
    team_id: targets.teamId,
    user_id: targets.userId,
    id: targets.idpId,
    key: 'virtual_keys_enabled',
    name: 'sample',
    model_id: 'anthropic.claude-sonnet-5',
    request_id: newRequestId(),
    session_id: targets.sessionId ?? newId(),
    top_up_id: targets.topUpId ?? newId(),
    budget_request_id: targets.budgetRequestId ?? newId(),
    ...Object.assign({}, ...extensionSamples.map(({ pathValues }) => pathValues?.(targets))),
  }
  return route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`no sample for the parameter ${name}`)
    return value
  })
}

/** Parameters without which the operation is refused; empty for nearly all. */
export function sampleQuery(route: Route): string {
  return extensionSamples.map(({ queries }) => queries?.[nameOf(route)] ?? '').join('')
}

/** Objects that nobody but an administrator may touch. */
export async function addTargets(app: ApiApp): Promise<Targets> {
  const teamId = await app.addTeam()
  const user = await app.addUser({ teamId })
  const { id: keyId } = await app.addKey({ userId: user.id, teamId })
  const answer = await app.call('POST', '/admin/idps', { as: app.admin, body: idp() })
  for (const [path, body] of [
    [`/admin/teams/${teamId}/budget`, budget],
    [`/admin/users/${user.id}/budget`, budget],
    ['/admin/notifications/config', notification],
  ] as const)
    await app.call('PUT', path, { as: app.admin, body })
  const given = await app.call('POST', `/admin/users/${user.id}/budget/top-ups`, { as: app.admin, body: topUp })
  const asked = await app.call('POST', '/me/budget/requests', { as: app.sessionOf(user), body: topUp })
  const idpId = answer.body.id as string
  const sessionId = newId()
  await createSignInStore(app.database.kysely).keep({
    id: sessionId,
    userId: user.id,
    via: 'sso',
    sessionEpoch: user.sessionEpoch,
    client: 'Firefox 140 on Linux',
    sourceAddress: '192.0.2.1',
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
  })
  const targets: Targets = {
    keyId,
    teamId,
    userId: user.id,
    idpId,
    sessionId,
    topUpId: given.body.id as string,
    budgetRequestId: asked.body.id as string,
  }
  for (const { addTargets: add } of extensionSamples) await add?.(app, targets)
  return targets
}

/** Everything that a write could have changed, as one text. */
export async function stateOf(app: ApiApp): Promise<string> {
  const tables = [
    'virtual_keys',
    'teams',
    'users',
    'budgets',
    'budget_top_ups',
    'budget_requests',
    'notification_outbox',
    'model_prices',
    'idps',
    'sign_ins',
    'revoked_sessions',
    'proxy_settings',
    'search_providers',
    'notification_configs',
    'notification_deliveries',
    'audit_log',
    ...extensionSamples.flatMap(({ tables = [] }) => tables),
  ]
  const parts: unknown[] = []
  for (const table of tables) parts.push((await app.database.pool.query(`select * from ${table} order by 1`)).rows)
  return JSON.stringify(parts)
}
