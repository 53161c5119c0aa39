/** Serper: Google's results as JSON, with its key in a header of its own. */
import { publicSearchUrls, type SearchLocation } from '../../foundation/domain/web-search.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { type Engine, jsonCall, readField, readJson, toHits, withSites } from './engine.ts'

export const serper: Engine = {
  toCall: ({ apiKey, apiUrl }, query, count) =>
    jsonCall(apiUrl ?? publicSearchUrls.serper, apiKey === null ? {} : { 'x-api-key': apiKey }, {
      q: withSites(query),
      num: count,
      ...toPlace(query.location),
    }),
  readHits: (answer) =>
    toHits(readField(readJson(answer), 'organic'), { url: ['link'], text: ['snippet'], pageAge: ['date'] }),
}

function toPlace(location: SearchLocation | null): object {
  if (location === null) return {}
  const parts = [location.city, location.region, location.country].filter((part) => part !== null)
  return {
    ...defined({ gl: location.country?.toLowerCase() }),
    ...(location.city === null ? {} : { location: parts.join(', ') }),
  }
}
