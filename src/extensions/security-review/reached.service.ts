/** Every address that the gateway calls by its present configuration: origins alone, since a path may hold a secret. */

import { publicServiceUrl } from '../../bedrock/service-address.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { type Destination, findDestinationArn } from '../../foundation/domain/notification-destination.ts'
import { isSearchProviderType, publicSearchUrls } from '../../foundation/domain/web-search.ts'
import type { SearchAddress } from '../../modules/web-search/search-providers.store.ts'
import type { Posture } from './check.ts'
import type { AddressFacts } from './security-ports.ts'

export interface Reached {
  readonly purpose: string
  /** An origin; of the database its host. */
  readonly address: string
  /** What is sent there. */
  readonly sends: string
  /** What decides that it is called. */
  readonly setBy: string
}

export function reachedBy(posture: Posture, fallback: Destination | null): readonly Reached[] {
  const { facts, snapshot, stored } = posture
  return joined([
    ...[...snapshot.endpoints.values()].filter(({ enabled }) => enabled).flatMap(listServices(facts.addresses)),
    ...identityProviders(posture),
    ...destination(stored === undefined ? fallback : (stored.destination ?? fallback), facts.addresses),
    ...searchServices(posture),
    ...priceList(facts.addresses),
    ...telemetry(facts.addresses),
    ...database(posture),
  ])
}

function listServices(addresses: AddressFacts): (endpoint: Endpoint) => readonly Reached[] {
  return ({ name, region, roleArn }) => {
    const setBy = `endpoint "${name}"`
    const at = (set: string | null, service: string): string => readOrigin(set ?? publicServiceUrl(service, region))
    const models = 'Models (Amazon Bedrock)'
    return [
      { purpose: models, address: at(addresses.bedrockRuntime, 'bedrock-runtime'), sends: 'prompts', setBy },
      {
        purpose: 'Which models and profiles there are',
        address: at(addresses.bedrock, 'bedrock'),
        sends: 'names of profiles',
        setBy,
      },
      {
        purpose: 'Quotas of the account',
        address: at(addresses.serviceQuotas, 'servicequotas'),
        sends: 'nothing but the question',
        setBy,
      },
      ...(roleArn === null
        ? []
        : [
            {
              purpose: 'Assuming the role of an endpoint',
              address: at(addresses.sts, 'sts'),
              sends: 'the name of the role',
              setBy,
            },
          ]),
    ]
  }
}

function identityProviders({ snapshot }: Posture): readonly Reached[] {
  return snapshot.idps
    .filter(({ enabled }) => enabled)
    .flatMap(({ name, issuerUrl, jwksUrl }) =>
      [issuerUrl, ...(jwksUrl === null ? [] : [jwksUrl])].map((url) => ({
        purpose: 'Sign-in: keys and codes of the identity provider, and what its own document names',
        address: readOrigin(url),
        sends: 'sign-in codes and the client secret',
        setBy: `identity provider "${name}"`,
      })),
    )
}

function destination(found: Destination | null, addresses: AddressFacts): readonly Reached[] {
  if (found === null) return []
  const sends = 'events: names of people, teams and keys, and what they spent'
  const arn = findDestinationArn(found)
  if (found.type === 'webhook')
    return [
      { purpose: 'Notifications', address: readOrigin(found.address), sends, setBy: 'the notification destination' },
    ]
  if (arn === undefined) return []
  const [set, service] = found.type === 'topic' ? [addresses.sns, 'sns'] : [addresses.eventBridge, 'events']
  const address = readOrigin(set ?? publicServiceUrl(service, arn.region))
  return [{ purpose: 'Notifications', address, sends, setBy: `the notification destination (${arn.name})` }]
}

function searchServices({ settings, stored, facts }: Posture): readonly Reached[] {
  const mode = settings.websearch_mode
  if (mode === 'disabled') return []
  const asked = (address: string, setBy: string): Reached => ({
    purpose: 'Web search',
    address,
    sends: 'search queries that models make from prompts',
    setBy,
  })
  const listAddresses = (found: readonly SearchAddress[]) =>
    found.flatMap(({ providerType, apiUrl }) => findSearchOrigin(providerType, apiUrl) ?? [])
  if (mode === 'global')
    return listAddresses(stored?.searchOfEverybody ?? []).map((one) => asked(one, 'the search provider of everybody'))
  const usual = asked(readOrigin(publicSearchUrls.duckduckgo), 'websearch_mode, for whoever has chosen none')
  const own = facts.database.kind === 'none' ? [] : listAddresses(stored?.searchOfPeople ?? [])
  return [usual, ...own.map((one) => asked(one, 'people, for themselves'))]
}

function findSearchOrigin(type: string, apiUrl: string | null): string | undefined {
  if (apiUrl !== null) return readOrigin(apiUrl)
  const known: Readonly<Record<string, string>> = publicSearchUrls
  const url = isSearchProviderType(type) ? known[type] : undefined
  return url && readOrigin(url)
}

function priceList({ priceList: url }: AddressFacts): readonly Reached[] {
  if (url === undefined) return []
  const setBy = 'PRICING_REFRESH_ENABLED'
  return [{ purpose: 'Public price list', address: readOrigin(url), sends: 'nothing but the question', setBy }]
}

function telemetry({ telemetry: url, sendsTraces }: AddressFacts): readonly Reached[] {
  if (url === null) return []
  const sends = sendsTraces ? 'metrics, and traces with ids and figures of each call' : 'metrics'
  return [{ purpose: 'Telemetry (OTLP)', address: readOrigin(url), sends, setBy: 'OTEL_EXPORTER_OTLP_ENDPOINT' }]
}

function database({ facts }: Posture): readonly Reached[] {
  if (facts.database.kind !== 'server') return []
  const { host, modeVariable } = facts.database
  const setBy = modeVariable === 'DATABASE_URL' ? 'DATABASE_URL' : 'DATABASE_HOST'
  return [{ purpose: 'Database', address: host, sends: 'everything that is kept', setBy }]
}

/** Several endpoints of a region are one address; who decides on it is told of each. */
function joined(all: readonly Reached[]): readonly Reached[] {
  const groups = Map.groupBy(all, ({ purpose, address }) => `${purpose} ${address}`)
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : { ...first, setBy: [...new Set([first, ...others].map(({ setBy }) => setBy))].join(', ') },
  )
}

/** Without what may stand before the host and behind it. */
function readOrigin(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read'
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
