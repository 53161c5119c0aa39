/** A gateway whose searches go to the simulated engines, and a model that says what the test dictates, round by round. */
import type { ShownRequest } from '../../simulator/control-client.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { type SearchProviderType, searchKeyContext } from '../../src/foundation/domain/web-search.ts'
import { createSecretBox } from '../../src/foundation/platform/secret-box.ts'
import { createSearchProviderStore } from '../../src/modules/web-search/search-providers.store.ts'
import { recordsOf, until } from '../message-path/path-client.ts'
import { addKey, type GatewayOptions, login, startGateway, type TestGateway } from '../support/gateway.ts'

export interface SearchWorld {
  readonly gateway: TestGateway
  readonly admin: string
  readonly key: string
  readonly engineUrl: (engine: string) => string
  /** One answer of the model for each round. */
  readonly say: (...rounds: readonly Round[]) => Promise<void>
  /** Bodies that the hosted model got, oldest first. */
  readonly hostedBodies: () => Promise<readonly HostedRequest[]>
  readonly setMode: (body: object) => Promise<void>
  readonly setPrice: (usd: number) => Promise<void>
  readonly addPerson: (provider?: OwnProvider) => Promise<{ readonly key: string; readonly userId: string }>
  readonly records: (requestId: string, count: number) => Promise<readonly SpendRecord[]>
  readonly reset: () => Promise<void>
}

export interface Round {
  readonly content: readonly Readonly<Record<string, unknown>>[]
  readonly stop: string
  readonly delayMs?: number
}

export interface HostedRequest {
  readonly messages: readonly { readonly role: string; readonly content: readonly Record<string, unknown>[] }[]
  readonly tools?: readonly Readonly<Record<string, unknown>>[]
  readonly tool_choice?: unknown
}

export const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })
export const search = (id: string, query: unknown) => ({
  type: 'tool_use',
  id: `toolu_bdrk_${id}`,
  name: 'web_search',
  input: { query },
})
export const asksFor = (...content: Round['content']): Round => ({ content, stop: 'tool_use' })
export const answers = (...content: Round['content']): Round => ({ content, stop: 'end_turn' })

export const searchTool = (more: object = {}) => ({ type: 'web_search_20250305', name: 'web_search', ...more })

export const question = (more: object = {}) => ({
  model: 'claude-sonnet-5',
  max_tokens: 500,
  messages: [{ role: 'user', content: 'When is high tide in Bremen?' }],
  tools: [searchTool()],
  ...more,
})

export interface OwnProvider {
  readonly type: SearchProviderType
  readonly apiKey: string | null
  readonly apiUrl: string
}

const SECRET_KEY = 'a secret key for tests, long enough to be one'

export async function startSearchWorld(options: GatewayOptions = {}): Promise<SearchWorld> {
  const gateway = await startGateway({ ...options, env: { SECRET_KEY, ...options.env } })
  const { control, simulator, database } = gateway
  if (database === undefined) throw new Error('the world needs a database')
  const admin = await login(gateway.url)
  const { key } = await addKey(database)
  const engineUrl = (engine: string) => `${simulator.searchUrl}/${engine}/search`
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin}` }
    const response = await fetch(`${gateway.url}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
  const setMode = async (body: object) => void (await send('PUT', '/admin/websearch-mode', body))
  const everybody = { provider_type: 'tavily', api_key: 'tvly-all', api_url: engineUrl('tavily'), max_results: 2 }
  await setMode({ mode: 'global', provider: everybody })
  return {
    gateway,
    admin,
    key,
    engineUrl,
    setMode,
    setPrice: async (value) => void (await send('PUT', '/admin/settings/websearch_price_usd', { value })),
    say: async (...rounds) => {
      for (const [index, { content, stop, delayMs }] of rounds.entries())
        await control.script({
          match: { operation: 'invoke', bodyContains: '"web_search"' },
          behaviour: {
            answer: { content, stopReason: stop, usage: { input_tokens: 100 * (index + 1), output_tokens: 10 } },
            ...(delayMs === undefined ? {} : { delayMs }),
          },
        })
    },
    hostedBodies: async () =>
      (await control.requests()).filter(isInvocation).map(({ body }) => JSON.parse(body) as HostedRequest),
    addPerson: async (provider) => {
      // Through the gateway, which knows them at once then.
      const user = await send('POST', '/admin/users', { subject: `${crypto.randomUUID()}@example.com`, role: 'member' })
      const own = await send('POST', '/admin/keys', { name: 'own', user_id: user['id'] })
      if (provider !== undefined) await storeProvider(database, String(user['id']), provider)
      return { key: String(own['key']), userId: String(user['id']) }
    },
    records: (requestId, count) =>
      until(async () => {
        const found = await recordsOf(gateway, requestId)
        return found.length >= count ? found.toSorted((a, b) => a.round - b.round) : undefined
      }),
    reset: async () => {
      await control.reset()
      await send('PUT', '/admin/settings/websearch_price_usd', { value: 0 })
      await setMode({ mode: 'global', provider: everybody })
    },
  }
}

/** As `PUT /me/search-provider` would: sealed with the key of the gateway. */
async function storeProvider(database: Database, userId: string, own: OwnProvider): Promise<void> {
  const box = createSecretBox(Buffer.from(SECRET_KEY))
  await createSearchProviderStore(database.kysely).put({
    userId,
    providerType: own.type,
    apiKey: own.apiKey === null ? null : box.seal(own.apiKey, searchKeyContext(userId)),
    apiUrl: own.apiUrl,
    maxResults: 3,
  })
}

function isInvocation({ path }: ShownRequest): boolean {
  return /\/invoke/.test(path)
}
