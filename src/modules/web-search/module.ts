/** Web search: who may search with which engine, and the search itself. */
import type { RunSearch } from '../../foundation/domain/web-search.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { OutgoingHttp } from '../../foundation/platform/outgoing-http.ts'
import type { WebSearch } from '../../message-path/ports.ts'
import { ownSearchRoutes } from './own-search.routes.ts'
import { createSearch, SEARCH_TIMEOUT_MS } from './run-search.ts'
import { createSearchTerms } from './search-terms.service.ts'
import { webSearchRoutes } from './web-search.routes.ts'
import type { WebSearchPorts } from './web-search-ports.ts'

export interface WebSearchModuleParts extends Pick<WebSearchPorts, 'modeSetting' | 'checkOwnUrl'> {
  /** For engines that single users have chosen: addresses that only administrators may use are not reached. */
  readonly ownHttp: Pick<OutgoingHttp, 'request'>
  readonly timeoutMs?: number | undefined
}

export interface WebSearchModule extends Module {
  /** For the message path. */
  readonly webSearch: WebSearch
}

export function createWebSearch(core: Core, parts: WebSearchModuleParts): WebSearchModule {
  const { modeSetting, checkOwnUrl, ownHttp, timeoutMs = SEARCH_TIMEOUT_MS } = parts
  const search: RunSearch = createSearch({ http: core.outgoing, ownHttp, timeoutMs })
  return {
    webSearch: createSearchTerms({ ...core, modeSetting, search }),
    routes: listWebSearchRoutes({ ...core, search, modeSetting, checkOwnUrl }),
    loops: [],
  }
}

export function listWebSearchRoutes(ports: WebSearchPorts): readonly Route[] {
  return [...webSearchRoutes(ports), ...ownSearchRoutes(ports)]
}
