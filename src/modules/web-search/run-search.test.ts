import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchOutcome, SearchProvider, SearchQuery } from '../../foundation/domain/web-search.ts'
import {
  type OutgoingAnswer,
  OutgoingHttpError,
  type OutgoingRequest,
} from '../../foundation/platform/outgoing-http.ts'
import { createSearch } from './run-search.ts'

const plain: SearchQuery = { text: 'tide tables', allowedDomains: [], blockedDomains: [], location: null }
const provider = (values: Partial<SearchProvider>): SearchProvider => ({
  type: 'tavily',
  apiKey: null,
  apiUrl: null,
  maxResults: 3,
  isOwn: false,
  ...values,
})

interface Sent extends OutgoingRequest {
  readonly url: string
}

async function run(
  chosen: SearchProvider,
  query: SearchQuery,
  answer: Partial<OutgoingAnswer> | OutgoingHttpError,
): Promise<{ sent: Sent; outcome: SearchOutcome }> {
  let sent: Sent | undefined
  const http = {
    request: async (url: string, request: OutgoingRequest = {}): Promise<OutgoingAnswer> => {
      sent = { url, ...request }
      if (answer instanceof OutgoingHttpError) throw answer
      return { status: 200, headers: {}, body: Buffer.from('{}'), ...answer }
    },
  }
  const search = createSearch({ http, ownHttp: http })
  const outcome = await search(chosen, query)
  assert.ok(sent)
  return { sent, outcome }
}

const json = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) })
const toBody = (sent: Sent): unknown => JSON.parse(String(sent.body))

test('Tavily gets its key as bearer, and domains and country as fields', async () => {
  const query = {
    ...plain,
    allowedDomains: ['example.com/tides'],
    location: { city: 'Bremen', region: null, country: 'de' },
  }
  const { sent, outcome } = await run(provider({ apiKey: 'tvly-1' }), query, {
    ...json({
      results: [{ title: 'T', url: 'https://example.com/tides/1', content: 'C', published_date: '2026-01-01' }],
    }),
  })
  assert.equal(sent.url, 'https://api.tavily.com/search')
  assert.equal(sent.headers?.['authorization'], 'Bearer tvly-1')
  assert.deepEqual(toBody(sent), {
    query: 'tide tables',
    max_results: 20,
    include_domains: ['example.com'],
    country: 'germany',
  })
  assert.deepEqual(outcome, {
    kind: 'found',
    hits: [{ url: 'https://example.com/tides/1', title: 'T', text: 'C', pageAge: '2026-01-01' }],
  })
})

test('Serper gets its key in its own header and the domains in the query', async () => {
  const query = {
    ...plain,
    allowedDomains: ['a.example', 'b.example/x/*'],
    blockedDomains: [],
    location: { city: 'Paris', region: null, country: 'FR' },
  }
  const { sent, outcome } = await run(provider({ type: 'serper', apiKey: 's-1' }), query, {
    ...json({ organic: [{ title: 'T', link: 'https://a.example/', snippet: 'S', date: '2 days ago' }] }),
  })
  assert.equal(sent.headers?.['x-api-key'], 's-1')
  assert.deepEqual(toBody(sent), {
    q: 'tide tables (site:a.example OR site:b.example/x)',
    num: 20,
    gl: 'fr',
    location: 'Paris, FR',
  })
  assert.equal(outcome.kind === 'found' && outcome.hits[0]?.pageAge, '2 days ago')
})

test('domains are asked for as the engines take them, however a model has written them', async () => {
  const allowedDomains = ['https://Docs.example/guide/', '*.wide.example', 'm\u00fcnchen.example', '']
  const blockedDomains = ['https://bad.example', 'mixed.example/ads', 'mixed.example/a/*/b']
  const asked = async (type: 'tavily' | 'serper', domains: Partial<SearchQuery>): Promise<unknown> =>
    toBody((await run(provider({ type }), { ...plain, ...domains }, json({}))).sent)
  assert.deepEqual(await asked('tavily', { allowedDomains }), {
    query: 'tide tables',
    max_results: 20,
    include_domains: ['docs.example', 'wide.example', 'xn--mnchen-3ya.example'],
  })
  assert.deepEqual(await asked('tavily', { blockedDomains }), {
    query: 'tide tables',
    max_results: 20,
    exclude_domains: ['bad.example'],
  })
  assert.deepEqual(await asked('serper', { allowedDomains }), {
    q: 'tide tables (site:docs.example/guide OR site:wide.example OR site:xn--mnchen-3ya.example)',
    num: 20,
  })
  assert.deepEqual(await asked('serper', { blockedDomains }), {
    q: 'tide tables -site:bad.example -site:mixed.example/ads',
    num: 20,
  })
})

test('a service of one’s own gets query and count, and may answer in any of the agreed spellings', async () => {
  const chosen = provider({ type: 'custom', apiUrl: 'https://search.example/find', apiKey: 'k' })
  const answers = [
    [{ title: 'T', url: 'https://a.example/', snippet: 'S' }],
    { results: [{ title: 'T', link: 'https://a.example/', content: 'S' }] },
    { results: [{ title: 'T', url: 'https://a.example/', description: 'S' }] },
  ]
  for (const answer of answers) {
    const { sent, outcome } = await run(chosen, plain, json(answer))
    assert.deepEqual([sent.url, sent.method, toBody(sent)], [chosen.apiUrl, 'POST', { query: 'tide tables', count: 3 }])
    assert.equal(sent.headers?.['authorization'], 'Bearer k')
    assert.deepEqual(outcome, {
      kind: 'found',
      hits: [{ url: 'https://a.example/', title: 'T', text: 'S', pageAge: null }],
    })
  }
})

test('SearXNG is asked for JSON at its search page, however its address was given', async () => {
  for (const apiUrl of ['https://s.example', 'https://s.example/', 'https://s.example/search'])
    assert.equal(
      (await run(provider({ type: 'searxng', apiUrl }), plain, json({ results: [] }))).sent.url,
      'https://s.example/search?q=tide+tables&format=json',
    )
  const below = provider({ type: 'searxng', apiUrl: 'https://s.example/engine/' })
  assert.match((await run(below, plain, json({ results: [] }))).sent.url, /^https:\/\/s\.example\/engine\/search\?/)
})

const page = (rows: string) => ({
  body: Buffer.from(`<html><body><div id="links" class="results">${rows}</div></body></html>`),
})
const row = (href: string, title: string, snippet: string, extra = '') =>
  `<div class="result results_links ${extra}"><h2 class="result__title"><a rel="nofollow" class="result__a" href="${href}">${title}</a></h2>
   <a class="result__snippet" href="${href}">${snippet}</a></div>`

test('the page of DuckDuckGo gives titles, targets and texts, without its adverts', async () => {
  const link = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=1`
  const { sent, outcome } = await run(
    provider({ type: 'duckduckgo' }),
    { ...plain, location: { city: null, region: null, country: 'GB' } },
    page(
      row('https://duckduckgo.com/y.js?ad_domain=shop.example', 'Buy tides', 'cheap', 'result--ad') +
        row(link('https://a.example/x?y=1&z=2'), 'A &amp; <b>B</b> &#x27;s', 'All <b>tide tables</b>&nbsp;here') +
        row('https://b.example/', 'Direct', ''),
    ),
  )
  assert.equal(sent.url, 'https://html.duckduckgo.com/html/?q=tide+tables&kl=uk-en')
  assert.deepEqual(outcome, {
    kind: 'found',
    hits: [
      { url: 'https://a.example/x?y=1&z=2', title: "A & B 's", text: 'All tide tables here', pageAge: null },
      { url: 'https://b.example/', title: 'Direct', text: '', pageAge: null },
    ],
  })
})

test('a page without results is an empty list, a riddle is a refusal, and another page is no answer', async () => {
  const ask = async (answer: Partial<OutgoingAnswer>) =>
    (await run(provider({ type: 'duckduckgo' }), plain, answer)).outcome
  assert.deepEqual(await ask(page('<div class="no-results">')), { kind: 'found', hits: [] })
  const riddle = await ask({ status: 202, ...page('') })
  assert.equal(riddle.kind === 'failed' && riddle.reason, 'too_many_requests')
  assert.equal((await ask({ body: Buffer.from('<html>Welcome</html>') })).kind, 'failed')
})

test('a hostile page of a megabyte is read', async () => {
  // A reader that went back for every part would not come to an end.
  for (const bytes of ['<a class="result__a"', '<a class="result__a" href="x', '<', 'class="result__a"><a ', '&#'])
    await run(provider({ type: 'duckduckgo' }), plain, page(bytes.repeat(1_000_000 / bytes.length)))
})

test('results are real addresses of allowed domains, each once, no more than asked for, and of a bounded size', async () => {
  const results = [
    { title: 'other scheme', url: 'javascript:alert(1)', content: '' },
    { title: 'blocked', url: 'https://bad.example/', content: '' },
    { title: 'below a blocked one', url: 'https://x.bad.example/', content: '' },
    { title: 'only looks blocked', url: 'https://notbad.example/', content: `${'x'.repeat(3_999)}\u{1f30a}` },
    { title: 'twice', url: 'https://notbad.example/', content: '' },
    { title: '', url: 'https://untitled.example/', content: 'a\n\u0000 b' },
    { title: 'third', url: 'https://third.example/', content: '' },
    { title: 'fourth', url: 'https://fourth.example/', content: '' },
    null,
    'text',
  ]
  const { outcome } = await run(provider({}), { ...plain, blockedDomains: ['bad.example'] }, json({ results }))
  assert.ok(outcome.kind === 'found')
  assert.deepEqual(
    outcome.hits.map((hit) => hit.title),
    ['only looks blocked', 'untitled.example', 'third'],
  )
  assert.equal(outcome.hits[0]?.text, 'x'.repeat(3_999))
})

test('every failure is told in our own words', async () => {
  const cases: readonly (readonly [Partial<OutgoingAnswer> | OutgoingHttpError, string, RegExp])[] = [
    [{ status: 429 }, 'too_many_requests', /no more questions/],
    [{ status: 401, ...json({ error: 'canary' }) }, 'unavailable', /refused the API key \(401\)/],
    [{ status: 500 }, 'unavailable', /status 500/],
    [{ status: 302 }, 'unavailable', /status 302/],
    [{ body: Buffer.from('<html>') }, 'unavailable', /cannot be read/],
    [json({ results: 'none' }), 'unavailable', /cannot be read/],
    [new OutgoingHttpError('timeout', 'no complete answer in time'), 'unavailable', /within 10 seconds/],
    [new OutgoingHttpError('refused', 'https is required'), 'unavailable', /may not call/],
    [new OutgoingHttpError('too-large', 'x'), 'unavailable', /too large/],
    [new OutgoingHttpError('unreachable', 'the host cannot be reached'), 'unavailable', /cannot be reached/],
  ]
  for (const [answer, reason, words] of cases) {
    const { outcome } = await run(provider({ apiKey: 'k' }), plain, answer)
    assert.ok(outcome.kind === 'failed')
    assert.equal(outcome.reason, reason)
    assert.match(outcome.message, words)
    assert.doesNotMatch(outcome.message, /canary/)
  }
  // An engine that was given no key cannot have refused one.
  const { outcome } = await run(provider({ type: 'duckduckgo' }), plain, { status: 403 })
  assert.equal(outcome.kind === 'failed' && outcome.message, 'The search engine answered with status 403.')
})
