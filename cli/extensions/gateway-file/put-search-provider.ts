/** Stores the search provider of everybody. Its key has no place in a file: it is kept, or stored beforehand. */
import { needsApiKey, type SearchProviderType } from '../../../src/foundation/domain/web-search.ts'
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'
import { usageError } from '../../terminal/cli-error.ts'
import type { Step } from './plan.ts'

const PATH = '/admin/websearch-mode'

/** With the mode: a gateway takes `global` only together with a provider, or after one. */
export async function putSearchProvider(client: Client, { resource }: Step): Promise<void> {
  const { has_api_key: hasKey, ...provider } = resource.fields
  const type = provider['provider_type'] as SearchProviderType
  if ((hasKey === true || needsApiKey(type)) && !keepsKey((await client.get(PATH)).provider, provider))
    throw usageError(
      `${type} needs an api_key, which has no place in a file; store it with "${commandFor(type, provider['api_url'])}"`,
    )
  const key = hasKey === false ? { api_key: null } : {}
  await client.send('PUT', PATH, { mode: 'global', provider: { ...provider, ...key } })
}

/** As a gateway decides it: a key stays with the engine and the address that it was stored for. */
function keepsKey(stored: Row, wanted: Row): boolean {
  return (
    stored?.has_api_key === true &&
    stored.provider_type === wanted.provider_type &&
    stored.api_url === (wanted.api_url ?? null)
  )
}

function commandFor(type: string, url: unknown): string {
  const address = typeof url === 'string' ? ` --api-url ${url}` : ''
  return `causeway websearch set global --provider ${type}${address} --api-key-file <path>`
}
