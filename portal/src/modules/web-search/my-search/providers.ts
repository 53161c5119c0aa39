/** The services that can answer a search, and what each of them needs. */
import type { Body } from '../../../api/client.ts'

export type ProviderType = Body<'/me/search-provider', 'put'>['provider_type']

interface ProviderKind {
  readonly value: ProviderType
  readonly label: string
  readonly needsKey: boolean
  readonly needsUrl: boolean
  readonly note: string
}

export const providerKinds: readonly ProviderKind[] = [
  { value: 'duckduckgo', label: 'DuckDuckGo', needsKey: false, needsUrl: false, note: 'Needs no account.' },
  {
    value: 'tavily',
    label: 'Tavily',
    needsKey: true,
    needsUrl: false,
    note: 'Made for assistants. Needs a key from tavily.com.',
  },
  {
    value: 'serper',
    label: 'Serper',
    needsKey: true,
    needsUrl: false,
    note: 'Google results. Needs a key from serper.dev.',
  },
  {
    value: 'searxng',
    label: 'SearXNG',
    needsKey: false,
    needsUrl: true,
    note: 'Your own SearXNG server, with JSON switched on.',
  },
  {
    value: 'custom',
    label: 'Your own service',
    needsKey: false,
    needsUrl: true,
    note: 'Gets {query, count} as JSON and answers a list with title, url and snippet.',
  },
]

export function findKind(type: string): ProviderKind | undefined {
  return providerKinds.find(({ value }) => value === type)
}

export function providerLabel(type: string): string {
  return findKind(type)?.label ?? type
}
