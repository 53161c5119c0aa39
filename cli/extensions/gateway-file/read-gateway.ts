/** Reads what a gateway is configured to be, in the form of the file. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Client } from '../../client/http-client.ts'
import { readAll } from '../../client/pages.ts'
import type { Row } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { GatewayDocument } from './document.ts'

export async function readGateway(client: Client): Promise<GatewayDocument> {
  const [settings, endpoints, teams, budgets, mappings, prices, notifications, idps, search, managed, capabilities] =
    await Promise.all([
      client.get('/admin/settings'),
      readAll(client, '/admin/endpoints'),
      readAll(client, '/admin/teams'),
      // By what spend does not move: a page would miss what moved over its edge, and a kept file would change by itself.
      readAll(client, '/admin/budgets', { sort: 'name' }),
      readAll(client, '/admin/model-mappings'),
      readAll(client, '/admin/pricing', { sort: 'model_id' }),
      client.get('/admin/notifications/config'),
      readAll(client, '/admin/idps'),
      client.get('/admin/websearch-mode'),
      findOffered(client, '/admin/managed-settings'),
      readAll(client, '/admin/capabilities'),
    ])
  const findBudget = (scope: string, id: string): Row =>
    budgets.find((row) => row.scope === scope && row.subject_id === id)
  const routing = await Promise.all(teams.map((team) => client.get(`/admin/teams/${team.id}/endpoints`)))
  const ownManaged = await Promise.all(
    managed === undefined ? [] : teams.map((team) => client.get(`/admin/teams/${team.id}/managed-settings`)),
  )
  const findOverrides = (id: string): readonly Row[] =>
    capabilities.filter((row) => row.source === 'override' && row.endpoint_id === id)
  return {
    version: 1,
    settings,
    ...managedFields(managed),
    ...defined({ search_provider: search.provider && providerFields(search.provider) }),
    endpoints: byName(endpoints).map((row) => endpointFields(row, findOverrides(row.id))),
    teams: byName(
      teams.map((team, index) => ({
        ...team,
        routing: routing[index],
        budget: findBudget('team', team.id),
        managed: ownManaged[index],
      })),
    ).map(teamFields),
    user_budgets: budgets
      .filter((row) => row.scope === 'user')
      .map((row) => ({ user: row.name, ...budgetFields(row, false) })),
    model_mappings: mappings
      .filter((row) => row.source === 'admin')
      .map(({ vendor_prefix, hosted_model_id, display_name }) => ({
        model: vendor_prefix,
        hosted_model_id,
        display_name,
      })),
    prices: prices.filter((row) => row.source === 'admin').map(priceFields),
    ...defined({ notifications: notifications.active === null ? undefined : destinationFields(notifications.active) }),
    idps: byName(idps).map(idpFields),
  }
}

/** Undefined where the gateway runs without the extension that has the route: its section is then absent. */
async function findOffered(client: Client, path: string): Promise<Row | undefined> {
  return await client.get(path).catch((error: unknown) => {
    if (error instanceof CliError && error.parts.code === 'route_not_found') return undefined
    throw error
  })
}

function byName(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A document that nobody has written is none; an empty one is the decision that nothing is managed. */
function managedFields(managed: Row | undefined): Row {
  return managed === undefined || managed.updated_at === null ? {} : { managed_settings: managed.settings }
}

function endpointFields(row: Row, betas: readonly Row[]): Row {
  const overrides = row.aip_overrides ?? []
  return {
    name: row.name,
    region: row.region,
    routing_prefix: row.routing_prefix,
    priority: row.priority,
    enabled: row.enabled,
    ...given({ role_arn: row.role_arn, external_id: row.external_id }),
    ...(row.is_default ? { default: true } : {}),
    ...(overrides.length === 0
      ? {}
      : {
          aip_overrides: overrides.map((one: Row) => ({
            model_id: one.model_id,
            aip_arn: one.aip_arn,
            ...given({ reason: one.reason }),
          })),
        }),
    ...(betas.length === 0 ? {} : { beta_overrides: betas.map(betaFields) }),
  }
}

function betaFields({ profile_id, beta_name, verdict, reason }: Row): Row {
  return { profile_id, beta_name, supported: verdict === 'supported', ...given({ reason }) }
}

function teamFields({ name, routing, budget, managed }: Row): Row {
  const assigned = routing.endpoints.map((one: Row) => ({ name: one.name, priority: one.priority }))
  return {
    name,
    ...(assigned.length === 0 ? {} : { routing: { strategy: routing.routing_strategy, endpoints: assigned } }),
    ...(budget === undefined ? {} : { budget: budgetFields(budget, true) }),
    ...managedFields(managed),
  }
}

function budgetFields(row: Row, isTeam: boolean): Row {
  const { limit_usd, period, policy } = row
  return { limit_usd, period, policy, ...(isTeam ? given({ member_limit_usd: row.member_limit_usd }) : {}) }
}

function priceFields({ source: _, updated_at: __, long_context, cache_write_1h_usd_per_mtok, ...row }: Row): Row {
  return { ...row, ...given({ cache_write_1h_usd_per_mtok, long_context }) }
}

function idpFields(row: Row): Row {
  const { name, issuer_url, audience, auto_provision, default_role, user_claim, logout, enabled } = row
  const { allowed_domains, client_id, jwks_url, has_client_secret } = row
  return {
    name,
    issuer_url,
    audience,
    auto_provision,
    default_role,
    user_claim,
    logout,
    enabled,
    ...given({ allowed_domains, client_id, jwks_url }),
    ...(has_client_secret ? { has_client_secret } : {}),
  }
}

function providerFields({ provider_type, api_url, max_results, has_api_key }: Row): Row {
  return { provider_type, ...given({ api_url }), max_results, has_api_key }
}

function destinationFields({ destination_type, destination, has_secret, categories }: Row): Row {
  const signed = destination_type === 'webhook' ? { has_secret } : {}
  return { destination_type, destination, ...signed, categories }
}

function given(fields: Row): Row {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}
