/** Remembers which search provider each person was last read to have, for moments in which the database cannot be asked. */
import { LRUCache } from 'lru-cache'
import type { SearchProviderRecord } from './search-providers.store.ts'

/** Losing it is safe: who is not remembered is told that web search is not available now. Keys stay sealed in it. */
const MAX_OWNERS = 2_000

export interface SearchProviderMemory {
  /** `stored` is null for somebody who has chosen none. */
  readonly remember: (ownerId: string, stored: SearchProviderRecord | null) => void
  readonly find: (ownerId: string) => SearchProviderRecord | null | undefined
}

export function createSearchProviderMemory(): SearchProviderMemory {
  const known = new LRUCache<string, { readonly stored: SearchProviderRecord | null }>({ max: MAX_OWNERS })
  return {
    remember: (ownerId, stored) => void known.set(ownerId, { stored }),
    find: (ownerId) => known.get(ownerId)?.stored,
  }
}
