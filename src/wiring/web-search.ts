/** Tells the message path what web search is for a caller: the mode and the provider as the database has them now. */
import type { WebSearch, WebSearchTerms } from '../data-plane/ports.ts'
import type { Caller } from '../domain/caller.ts'
import type { Settings } from '../domain/settings.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import {
  defaultSearchProvider,
  isSearchProviderType,
  type RunSearch,
  type SearchProvider,
  searchKeyContext,
} from '../domain/web-search.ts'
import type { Logger } from '../platform/logger.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Database } from '../stores/database.ts'
import { createSearchProviderStore, type SearchProviderRecord } from '../stores/search-providers.ts'
import { createSettingStore } from '../stores/settings.ts'
import type { DatabaseLink } from './database-link.ts'

export interface WebSearchParts {
  readonly link: Pick<DatabaseLink, 'isConfigured' | 'require'>
  readonly snapshot: () => Snapshot
  readonly settingDefaults: Settings
  readonly secretBox: () => SecretBox
  readonly search: RunSearch
  readonly log: Logger
}

export function createWebSearch(parts: WebSearchParts): WebSearch {
  const { link, snapshot, log } = parts

  const readTerms = async ({ hot }: Database, caller: Caller): Promise<WebSearchTerms> => {
    const { websearch_mode: mode } = await createSettingStore(hot).read(parts.settingDefaults)
    if (mode === 'disabled') return { kind: 'off' }
    const userId = mode === 'global' ? null : (caller.user?.id ?? undefined)
    // contract: Web search defaults. A key without a user has nobody who could have chosen.
    if (userId === undefined) return { kind: 'on', provider: defaultSearchProvider }
    const stored = await createSearchProviderStore(hot).find(userId)
    if (stored !== undefined) return { kind: 'on', provider: open(stored) }
    return { kind: 'on', provider: userId === null ? null : defaultSearchProvider }
  }

  const open = ({ providerType: type, apiKey, apiUrl, maxResults, userId }: SearchProviderRecord) => {
    if (!isSearchProviderType(type)) return null
    const key = apiKey === null ? null : parts.secretBox().open(apiKey, searchKeyContext(userId))
    return { type, apiKey: key, apiUrl, maxResults } satisfies SearchProvider
  }

  return {
    search: parts.search,
    termsFor: async (caller) => {
      const isOff = () => snapshot().settings.websearch_mode === 'disabled'
      if (!link.isConfigured) return isOff() ? { kind: 'off' } : { kind: 'on', provider: defaultSearchProvider }
      try {
        return await readTerms(link.require(), caller)
      } catch (error) {
        // failure-modes: web search terms unreadable. No other engine takes over: a query may be meant for nobody else.
        log.warn({ err: error }, 'the mode and provider of web search cannot be read')
        return isOff() ? { kind: 'off' } : { kind: 'on', provider: null }
      }
    },
  }
}
