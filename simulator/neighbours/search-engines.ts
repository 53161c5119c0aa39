import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseUnknown, requireObject } from '../behaviour.ts'
import { waitWhileOpen } from '../connection.ts'
import { type Exchange, readExchange, readHeader, sendJson, sendText } from '../exchange.ts'
import { isRecord, parseJson } from '../json-value.ts'

export type SearchEngine = 'duckduckgo' | 'tavily' | 'serper' | 'searxng' | 'custom'

export type RecordedSearch = {
  readonly at: string
  readonly engine: SearchEngine
  readonly path: string
  readonly query: string
  readonly key: string | null
  readonly body: string
}

export type SearchResult = { readonly title: string; readonly url: string; readonly snippet: string }

export type SearchScript = {
  readonly engine?: SearchEngine
  readonly times?: number | null
  readonly status?: number
  readonly body?: string
  readonly delayMs?: number
  readonly results?: readonly SearchResult[]
}

export type SearchEngines = {
  list(): readonly RecordedSearch[]
  clear(): void
  script(input: unknown): SearchScript
  reset(): void
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** Told apart by path and by the shape of the request, as five services would be by their host names. */
function findEngine(exchange: Exchange): SearchEngine {
  const path = exchange.rawPath
  const named = /^\/(duckduckgo|tavily|serper|searxng|custom)(?:\/|$)/.exec(path)?.[1]
  if (named !== undefined) return named as SearchEngine
  if (path.startsWith('/html')) return 'duckduckgo'
  if (exchange.method === 'GET') return 'searxng'
  if (path !== '/search') return 'custom'
  return readHeader(exchange, 'x-api-key') === undefined ? 'tavily' : 'serper'
}

function toRecord(exchange: Exchange, engine: SearchEngine): RecordedSearch {
  const body = exchange.body.toString('utf8')
  const json = parseJson(exchange.body)
  const fields = isRecord(json) ? json : Object.fromEntries(new URLSearchParams(body))
  const bearer = readHeader(exchange, 'authorization')?.replace(/^Bearer\s+/i, '')
  const key = readHeader(exchange, 'x-api-key') ?? bearer ?? fields['api_key'] ?? null
  const query = exchange.query.get('q') ?? fields['query'] ?? fields['q'] ?? ''
  const path = exchange.rawQuery === '' ? exchange.rawPath : `${exchange.rawPath}?${exchange.rawQuery}`
  return {
    at: new Date().toISOString(),
    engine,
    path,
    query: String(query),
    key: key === null ? null : String(key),
    body,
  }
}

function resultsFor(query: string): readonly SearchResult[] {
  return ['Overview', 'Guide', 'Reference', 'Discussion', 'News'].map((kind, index) => ({
    title: `${kind}: ${query}`,
    url: `https://example.com/${kind.toLowerCase()}/${encodeURIComponent(query)}`,
    snippet: `Result ${index + 1} about ${query}, from the simulated search engine.`,
  }))
}

export function createSearchEngines(): SearchEngines {
  let searches: RecordedSearch[] = []
  let scripts: { readonly script: SearchScript; left: number }[] = []
  const take = (engine: SearchEngine): SearchScript => {
    const found = scripts.find(({ script }) => script.engine === undefined || script.engine === engine)
    if (!found) return {}
    found.left -= 1
    if (found.left <= 0) scripts = scripts.filter((item) => item !== found)
    return found.script
  }
  return {
    list: () => searches,
    clear() {
      searches = []
    },
    script(input) {
      const script = requireObject(input, 'script')
      refuseUnknown(script, ['engine', 'times', 'status', 'body', 'delayMs', 'results'], 'script')
      const times = script['times'] === null ? Number.POSITIVE_INFINITY : Number(script['times'] ?? 1)
      scripts.push({ script: script as SearchScript, left: times })
      return script as SearchScript
    },
    reset() {
      searches = []
      scripts = []
    },
    async serve(request, response) {
      const exchange = await readExchange(request, response)
      const search = toRecord(exchange, findEngine(exchange))
      searches.push(search)
      const script = take(search.engine)
      if (script.delayMs !== undefined) await waitWhileOpen(response, script.delayMs)
      if (script.status !== undefined || script.body !== undefined) {
        return sendText(response, script.status ?? 200, script.body ?? '{"error":"refused"}', {
          'content-type': 'application/json',
        })
      }
      sendResults(response, search, script.results ?? resultsFor(search.query))
    },
  }
}

const KEYED: readonly SearchEngine[] = ['tavily', 'serper']

function sendResults(response: ServerResponse, search: RecordedSearch, results: readonly SearchResult[]): void {
  if (KEYED.includes(search.engine) && search.key === null) {
    sendJson(response, 401, { error: 'Unauthorized: missing API key.' })
  } else if (search.query === '') {
    sendJson(response, 400, { error: 'query is missing' })
  } else if (search.engine === 'duckduckgo') {
    sendText(response, 200, toDuckDuckGoPage(search.query, results), { 'content-type': 'text/html; charset=UTF-8' })
  } else {
    sendJson(response, 200, toJsonReply(search, results))
  }
}

function toJsonReply({ engine, query }: RecordedSearch, results: readonly SearchResult[]): unknown {
  switch (engine) {
    case 'tavily':
      return {
        query,
        answer: null,
        images: [],
        results: results.map(({ title, url, snippet }, i) => ({ title, url, content: snippet, score: 0.9 - i / 10 })),
        response_time: 0.1,
      }
    case 'serper':
      return {
        searchParameters: { q: query, type: 'search' },
        organic: results.map(({ title, url, snippet }, i) => ({ title, link: url, snippet, position: i + 1 })),
        credits: 1,
      }
    case 'searxng':
      return {
        query,
        number_of_results: results.length,
        results: results.map(({ title, url, snippet }) => ({ title, url, content: snippet, engine: 'simulated' })),
        suggestions: [],
      }
    default:
      return { results }
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[<>&"']/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`)
}

/** Links go through the engine's redirect address and the matches are marked, as on the real page. */
function toDuckDuckGoPage(query: string, results: readonly SearchResult[]): string {
  const rows = results.map(({ title, url, snippet }) => {
    const link = `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=0123456789abcdef`
    const marked = escapeHtml(snippet).replaceAll(escapeHtml(query), `<b>${escapeHtml(query)}</b>`)
    return `<div class="result results_links results_links_deep web-result ">
  <div class="links_main links_deep result__body">
    <h2 class="result__title"><a rel="nofollow" class="result__a" href="${link}">${escapeHtml(title)}</a></h2>
    <div class="result__extras"><div class="result__extras__url"><a class="result__url" href="${link}">${escapeHtml(url.replace('https://', ''))}</a></div></div>
    <a class="result__snippet" href="${link}">${marked}</a>
    <div class="clear"></div>
  </div>
</div>`
  })
  return `<!DOCTYPE html><html><head><title>${escapeHtml(query)} at DuckDuckGo</title></head><body><div id="links" class="results">\n${rows.join('\n')}\n</div></body></html>`
}
