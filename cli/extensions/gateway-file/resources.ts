/** A description as a flat list of resources, so that two of them can be compared one by one. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { GatewayDocument } from './document.ts'

/** In the order in which a gateway takes them. The mode `global` needs a provider, and categories a destination. */
export const resourceKinds = [
  'search-provider',
  'setting',
  'managed-settings',
  'endpoint',
  'aip-override',
  'beta-override',
  'default-endpoint',
  'team',
  'team-routing',
  'team-budget',
  'team-managed-settings',
  'user-budget',
  'model-mapping',
  'price',
  'idp',
  'notification-destination',
  'notification-categories',
] as const
export type ResourceKind = (typeof resourceKinds)[number]

export interface Resource {
  readonly kind: ResourceKind
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
}

const section: Readonly<Record<ResourceKind, keyof GatewayDocument>> = {
  'search-provider': 'search_provider',
  setting: 'settings',
  'managed-settings': 'managed_settings',
  endpoint: 'endpoints',
  'aip-override': 'endpoints',
  'beta-override': 'endpoints',
  'default-endpoint': 'endpoints',
  team: 'teams',
  'team-routing': 'teams',
  'team-budget': 'teams',
  'team-managed-settings': 'teams',
  'user-budget': 'user_budgets',
  'model-mapping': 'model_mappings',
  price: 'prices',
  idp: 'idps',
  'notification-destination': 'notifications',
  'notification-categories': 'notifications',
}

/** A section that a file leaves out is none of its business, also when pruning. */
export function mentions(document: GatewayDocument, kind: ResourceKind): boolean {
  // Files that are older than these overrides in files name none.
  if (kind === 'beta-override') return document.endpoints?.some((one) => one.beta_overrides !== undefined) === true
  return document[section[kind]] !== undefined
}

/** Two parts of a name are kept apart by a character that neither can hold. */
const BETWEEN = '\n'
const joinName = (first: string, second: string): string => `${first}${BETWEEN}${second}`
export const splitName = (name: string): readonly [string, string] => {
  const [first = '', second = ''] = name.split(BETWEEN)
  return [first, second]
}
export const shownName = (name: string): string => name.replace(BETWEEN, ' ')

export function listResources(document: GatewayDocument): readonly Resource[] {
  return [
    ...listSettings(document),
    ...listEndpoints(document),
    ...listTeams(document),
    ...listRest(document),
    ...listServices(document),
  ]
}

function listSettings({ settings = {}, managed_settings: managed }: GatewayDocument): readonly Resource[] {
  return [
    ...Object.entries(settings).map(([name, value]): Resource => ({ kind: 'setting', name, fields: { value } })),
    ...(managed === undefined
      ? []
      : [{ kind: 'managed-settings', name: 'everybody', fields: { settings: managed } } as const]),
  ]
}

function listEndpoints({ endpoints = [] }: GatewayDocument): readonly Resource[] {
  return endpoints.flatMap(
    ({ name, default: isDefault, aip_overrides = [], beta_overrides = [], ...fields }): Resource[] => [
      { kind: 'endpoint', name, fields },
      ...aip_overrides.map(
        ({ model_id, ...rest }): Resource => ({ kind: 'aip-override', name: joinName(name, model_id), fields: rest }),
      ),
      ...beta_overrides.map(
        (fields): Resource => ({
          kind: 'beta-override',
          name: joinName(name, `${fields.profile_id} ${fields.beta_name}`),
          fields,
        }),
      ),
      ...(isDefault === true
        ? [{ kind: 'default-endpoint', name: 'default', fields: { endpoint: name } } as const]
        : []),
    ],
  )
}

function listTeams({ teams = [] }: GatewayDocument): readonly Resource[] {
  return teams.flatMap(({ name, budget, routing, managed_settings: managed }): Resource[] => [
    { kind: 'team', name, fields: {} },
    ...(routing === undefined ? [] : [{ kind: 'team-routing', name, fields: inOrder(routing) } as const]),
    ...(budget === undefined ? [] : [{ kind: 'team-budget', name, fields: budget } as const]),
    ...(managed === undefined ? [] : [{ kind: 'team-managed-settings', name, fields: { settings: managed } } as const]),
  ])
}

type Routing = NonNullable<NonNullable<GatewayDocument['teams']>[number]['routing']>

/** Priorities decide; in which order a file writes the endpoints does not. */
function inOrder(routing: Routing): Routing {
  const endpoints = routing.endpoints.toSorted((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
  return { ...routing, endpoints }
}

/** As a gateway keeps them: each once, in small letters; an empty list allows every domain, as none does. */
function domainsAsKept(domains: readonly string[] | null): readonly string[] | null {
  if (domains === null || domains.length === 0) return null
  const kept = domains.map((domain) => domain.trim().replace(/^@/, '').normalize('NFC').toLowerCase())
  return [...new Set(kept)].toSorted()
}

function listRest(document: GatewayDocument): readonly Resource[] {
  return [
    ...(document.user_budgets ?? []).map(
      ({ user, ...fields }): Resource => ({ kind: 'user-budget', name: user, fields }),
    ),
    ...(document.model_mappings ?? []).map(
      ({ model, ...fields }): Resource => ({ kind: 'model-mapping', name: model, fields }),
    ),
    ...(document.prices ?? []).map(
      ({ model_id, scope, ...fields }): Resource => ({ kind: 'price', name: joinName(model_id, scope), fields }),
    ),
    ...(document.idps ?? []).map(
      ({ name, allowed_domains: domains, has_client_secret: hasSecret, ...fields }): Resource => ({
        kind: 'idp',
        name,
        fields: {
          ...fields,
          ...defined({ allowed_domains: domains && domainsAsKept(domains) }),
          // No secret is nothing to speak of, and nothing to keep.
          ...(hasSecret === undefined ? {} : { has_client_secret: hasSecret ? true : null }),
        },
      }),
    ),
  ]
}

/** Others outside, of each of which there is one at most. */
function listServices({ search_provider: provider, notifications = {} }: GatewayDocument): readonly Resource[] {
  const { categories, has_secret, ...destination } = notifications
  // Nothing else than a webhook is signed, and a gateway says nothing about it.
  const isSaid = destination.destination_type === 'webhook' && has_secret !== undefined
  return [
    ...(provider === undefined ? [] : [{ kind: 'search-provider', name: 'global', fields: provider } as const]),
    ...(destination.destination === undefined
      ? []
      : [
          {
            kind: 'notification-destination',
            name: 'active',
            fields: { ...destination, ...(isSaid ? { has_secret } : {}) },
          } as const,
        ]),
    ...(categories === undefined
      ? []
      : [{ kind: 'notification-categories', name: 'categories', fields: categories } as const]),
  ]
}
