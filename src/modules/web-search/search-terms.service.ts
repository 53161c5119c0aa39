/** Tells the message path what web search is for a caller: the mode and the provider as the database has them now. */

import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import type { WebSearchMode } from '../../foundation/domain/settings.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import {
  defaultSearchProvider,
  isSearchProviderType,
  type RunSearch,
  type SearchProvider,
  searchKeyContext,
} from '../../foundation/domain/web-search.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { type SecretBox, UnreadableSecretError } from '../../foundation/platform/secret-box.ts'
import type { WebSearch, WebSearchTerms } from '../../message-path/ports.ts'
import { createSearchProviderMemory } from './search-providers.memory.ts'
import { createSearchProviderStore, type SearchProviderRecord } from './search-providers.store.ts'
import type { ModeSetting } from './web-search-ports.ts'

export interface WebSearchParts {
  readonly link: Pick<DatabaseLink, 'isConfigured' | 'require'>
  readonly snapshot: () => Snapshot
  readonly modeSetting: ModeSetting
  readonly secretBox: () => SecretBox
  readonly search: RunSearch
  readonly log: Logger
}

/** Everybody in the mode `global`; `nobody` is a key without a user, for whom nobody can have chosen. */
type Owner = 'everybody' | 'nobody' | { readonly userId: string }

export function createSearchTerms(parts: WebSearchParts): WebSearch {
  const { link, snapshot, log } = parts
  const memory = createSearchProviderMemory()

  const readMode = async (): Promise<WebSearchMode> => await parts.modeSetting(link.require().hot).read()

  const readProvider = async (owner: Exclude<Owner, 'nobody'>): Promise<SearchProviderRecord | null> => {
    const userId = owner === 'everybody' ? null : owner.userId
    const stored = (await createSearchProviderStore(link.require().hot).find(userId)) ?? null
    memory.remember(nameOwner(owner), stored)
    return stored
  }

  const toProvider = (owner: Owner, stored: SearchProviderRecord | null | undefined): SearchProvider | null => {
    // contract: Web search defaults. But nobody else's engine takes over: a query may be meant for one engine only.
    if (stored === undefined) return null
    if (stored === null) return owner === 'everybody' ? null : defaultSearchProvider
    const { providerType: type, apiKey, apiUrl, maxResults, userId } = stored
    if (!isSearchProviderType(type)) return null
    try {
      const key = apiKey === null ? null : parts.secretBox().open(apiKey, searchKeyContext(userId))
      return { type, apiKey: key, apiUrl, maxResults, isOwn: userId !== null }
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error
      // failure-modes: search key unreadable
      log.warn({ err: error, user: userId }, 'the key of a search engine cannot be opened')
      return null
    }
  }

  const findTerms = async (
    mode: WebSearchMode,
    caller: Caller,
    find: (owner: Exclude<Owner, 'nobody'>) => Promise<SearchProviderRecord | null | undefined>,
  ): Promise<WebSearchTerms> => {
    if (mode === 'disabled') return { kind: 'off' }
    const owner = mode === 'global' ? 'everybody' : findOwner(caller)
    if (owner === 'nobody' || !link.isConfigured) return { kind: 'on', provider: defaultSearchProvider }
    return { kind: 'on', provider: toProvider(owner, await find(owner)) }
  }

  return {
    search: parts.search,
    termsFor: async (caller) => {
      const remembered = async (owner: Owner) => memory.find(nameOwner(owner))
      const lastKnown = () => findTerms(snapshot().settings.websearch_mode, caller, remembered)
      if (!link.isConfigured) return await lastKnown()
      try {
        return await findTerms(await readMode(), caller, readProvider)
      } catch (error) {
        // failure-modes: web search terms unreadable
        log.warn({ err: error }, 'the mode and provider of web search cannot be read')
        return await lastKnown()
      }
    },
  }
}

function findOwner({ user }: Caller): Owner {
  return user === null ? 'nobody' : { userId: user.id }
}

function nameOwner(owner: Owner): string {
  return typeof owner === 'string' ? owner : owner.userId
}
