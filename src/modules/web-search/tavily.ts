/** Tavily: key as bearer, domains and country as fields of their own. */
import { publicSearchUrls } from '../../foundation/domain/web-search.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { type Domain, readDomains } from './domains.ts'
import { bearer, type Engine, jsonCall, readField, readJson, toHits } from './engine.ts'
import { findRegion } from './regions.ts'

export const tavily: Engine = {
  toCall: ({ apiKey, apiUrl }, query, count) => {
    const region = findRegion(query.location)
    const allowed = listHosts(query.allowedDomains)
    // A folder must not take its whole host with it; its pages are left out of what comes back.
    const blocked = listHosts(query.blockedDomains, ({ path }) => path === '')
    return jsonCall(apiUrl ?? publicSearchUrls.tavily, bearer(apiKey), {
      query: query.text,
      max_results: count,
      ...(allowed.length === 0 ? {} : { include_domains: allowed }),
      ...(blocked.length === 0 ? {} : { exclude_domains: blocked }),
      ...defined({ country: region?.name }),
    })
  },
  readHits: (answer) =>
    toHits(readField(readJson(answer), 'results'), { url: ['url'], text: ['content'], pageAge: ['published_date'] }),
}

function listHosts(domains: readonly string[], isWanted: (domain: Domain) => boolean = () => true): readonly string[] {
  return readDomains(domains)
    .filter(isWanted)
    .map(({ host }) => host)
}
