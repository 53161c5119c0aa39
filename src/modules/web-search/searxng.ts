/** SearXNG: an instance of one's own, asked for JSON. */
import { bearer, type Engine, readField, readJson, toHits, withSites } from './engine.ts'

export const searxng: Engine = {
  toCall: ({ apiKey, apiUrl }, query) => {
    const url = new URL(apiUrl ?? '')
    // People paste the address of the instance as well as that of its search page.
    if (!/\/search\/?$/.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/+$/, '')}/search`
    url.searchParams.set('q', withSites(query))
    url.searchParams.set('format', 'json')
    return { url: url.href, headers: { accept: 'application/json', ...bearer(apiKey) } }
  },
  readHits: (answer) =>
    toHits(readField(readJson(answer), 'results'), { url: ['url'], text: ['content'], pageAge: ['publishedDate'] }),
}
