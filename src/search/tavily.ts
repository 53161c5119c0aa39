/** Tavily: key as bearer, domains and country as fields of their own. */
import { bearer, type Engine, fieldOf, jsonCall, readJson, toHits } from './engine.ts'
import { regionOf } from './regions.ts'

export const tavily: Engine = {
  toCall: ({ apiKey, apiUrl }, query, count) => {
    const region = regionOf(query.location)
    return jsonCall(apiUrl ?? 'https://api.tavily.com/search', bearer(apiKey), {
      query: query.text,
      max_results: count,
      ...(query.allowedDomains.length === 0 ? {} : { include_domains: query.allowedDomains.map(hostPart) }),
      ...(query.blockedDomains.length === 0 ? {} : { exclude_domains: query.blockedDomains.map(hostPart) }),
      ...(region === undefined ? {} : { country: region.name }),
    })
  },
  readHits: (answer) =>
    toHits(fieldOf(readJson(answer), 'results'), { url: ['url'], text: ['content'], pageAge: ['published_date'] }),
}

function hostPart(domain: string): string {
  return domain.replace(/\/.*$/, '')
}
