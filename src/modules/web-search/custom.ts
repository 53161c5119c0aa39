/** A search service of one's own: query and count go out, a list of titles, addresses and texts comes back. */
import { bearer, type Engine, jsonCall, readField, readJson, toHits } from './engine.ts'

export const custom: Engine = {
  toCall: ({ apiKey, apiUrl }, query, count) => jsonCall(apiUrl ?? '', bearer(apiKey), { query: query.text, count }),
  readHits: (answer) => {
    const body = readJson(answer)
    return toHits(Array.isArray(body) ? body : readField(body, 'results'), {
      url: ['url', 'link'],
      text: ['snippet', 'content', 'description'],
      pageAge: ['page_age', 'date'],
    })
  },
}
