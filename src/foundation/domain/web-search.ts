/** Web search: which engines there are, what they must be given, and what a search asks and finds. */
export const searchProviderTypes = ['duckduckgo', 'tavily', 'serper', 'custom', 'searxng'] as const
export type SearchProviderType = (typeof searchProviderTypes)[number]

export interface SearchProvider {
  readonly type: SearchProviderType
  /** In clear; it is sealed wherever it is stored. */
  readonly apiKey: string | null
  /** Null is the engine's public address. */
  readonly apiUrl: string | null
  readonly maxResults: number
  /** Of one person, and not of everybody: it may be led to fewer hosts. */
  readonly isOwn: boolean
}

/** spec: Limits, Web search max_results. */
const MIN_RESULTS = 1
export const MAX_SEARCH_RESULTS = 20
export const DEFAULT_SEARCH_RESULTS = 10

export function clampMaxResults(wanted: number): number {
  return Math.min(MAX_SEARCH_RESULTS, Math.max(MIN_RESULTS, wanted))
}

/** contract: Web search defaults. For everybody who has chosen none. */
export const defaultSearchProvider: SearchProvider = {
  type: 'duckduckgo',
  apiKey: null,
  apiUrl: null,
  maxResults: DEFAULT_SEARCH_RESULTS,
  isOwn: true,
}

export function needsApiKey(type: SearchProviderType): boolean {
  return type === 'tavily' || type === 'serper'
}

export function needsApiUrl(type: SearchProviderType): boolean {
  return type === 'custom' || type === 'searxng'
}

/** Where the engines are that somebody else runs; the others are wherever their address says. */
export const publicSearchUrls = {
  duckduckgo: 'https://html.duckduckgo.com/html/',
  tavily: 'https://api.tavily.com/search',
  serper: 'https://google.serper.dev/search',
} as const satisfies Partial<Record<SearchProviderType, string>>

export function isSearchProviderType(text: string): text is SearchProviderType {
  return searchProviderTypes.some((type) => type === text)
}

/** Roughly where the person is, as the Messages form gives it. */
export interface SearchLocation {
  readonly city: string | null
  readonly region: string | null
  /** Two letters. */
  readonly country: string | null
}

export interface SearchQuery {
  readonly text: string
  /** `example.com` or `example.com/path`; empty means every domain. */
  readonly allowedDomains: readonly string[]
  readonly blockedDomains: readonly string[]
  readonly location: SearchLocation | null
}

export interface SearchHit {
  readonly url: string
  readonly title: string
  readonly text: string
  /** In the engine's own words, such as `2 days ago`. */
  readonly pageAge: string | null
}

export type SearchOutcome =
  | { readonly kind: 'found'; readonly hits: readonly SearchHit[] }
  /** `message` is written by us and fit for the person who searches. */
  | { readonly kind: 'failed'; readonly reason: 'too_many_requests' | 'unavailable'; readonly message: string }

export type RunSearch = (provider: SearchProvider, query: SearchQuery, signal?: AbortSignal) => Promise<SearchOutcome>

/** The place of a sealed key: it opens for its owner only. `null` is the provider of everybody. */
export function searchKeyContext(userId: string | null): string {
  return `search_providers.api_key:${userId ?? 'global'}`
}
