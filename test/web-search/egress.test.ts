import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { SearchProvider } from '../../src/foundation/domain/web-search.ts'
import { parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import { createOutgoingHttp, type OutgoingHttp } from '../../src/foundation/platform/outgoing-http.ts'
import { createSearch } from '../../src/modules/web-search/run-search.ts'

let engine: Server
let forbidden: Server
let http: OutgoingHttp
let ownHttp: OutgoingHttp
let answer: (request: IncomingMessage, response: ServerResponse) => void
let reached = 0

before(async () => {
  engine = createServer((request, response) => answer(request, response))
  forbidden = createServer((_request, response) => {
    reached += 1
    response.end('{"results":[{"title":"secret","url":"https://a.example/","content":"secret"}]}')
  })
  engine.listen(0, '127.0.0.1')
  forbidden.listen(0, '127.0.0.2')
  await Promise.all([once(engine, 'listening'), once(forbidden, 'listening')])
  http = createOutgoingHttp({ allow: parseEgressAllow('127.0.0.1') })
  ownHttp = createOutgoingHttp({ allow: parseEgressAllow('') })
})
beforeEach(() => {
  reached = 0
})
after(async () => {
  await http.close()
  await ownHttp.close()
  engine.close()
  forbidden.close()
})

const buildUrl = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo
  return `http://${address}:${port}`
}
const query = { text: 'tides', allowedDomains: [], blockedDomains: [], location: null }
const run = (provider: Partial<SearchProvider>, timeoutMs = 2_000) =>
  createSearch({ http, ownHttp, timeoutMs })(
    { type: 'searxng', apiKey: 'key', apiUrl: null, maxResults: 5, isOwn: false, ...provider },
    query,
  )

test('no engine leads the gateway to a host that it may not call, neither directly nor by a redirect', async () => {
  for (const apiUrl of [buildUrl(forbidden), 'http://169.254.169.254/', 'http://[::1]/', 'https://10.0.0.1/'])
    for (const type of ['searxng', 'custom', 'tavily', 'serper', 'duckduckgo'] as const) {
      const outcome = await run({ type, apiUrl })
      assert.match(outcome.kind === 'failed' ? outcome.message : '', /may not call/, `${type} ${apiUrl}`)
    }
  for (const location of [buildUrl(forbidden), 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd']) {
    answer = (_request, response) => response.writeHead(302, { location }).end()
    for (const type of ['searxng', 'custom', 'duckduckgo'] as const)
      assert.equal((await run({ type, apiUrl: buildUrl(engine) })).kind, 'failed', `${type} ${location}`)
  }
  assert.equal(reached, 0)
})

test('the provider of one person reaches no host that is open to those of administrators alone', async () => {
  answer = (_request, response) => response.end('{"results":[]}')
  assert.equal((await run({ apiUrl: buildUrl(engine) })).kind, 'found')
  let asked = 0
  answer = (_request, response) => {
    asked += 1
    response.end('{"results":[]}')
  }
  const outcome = await run({ apiUrl: buildUrl(engine), isOwn: true })
  assert.match(outcome.kind === 'failed' ? outcome.message : '', /may not call/)
  assert.equal(asked, 0)
})

test('an answer is read up to a megabyte and no longer than its time', async () => {
  const results = [{ title: 'T', url: 'https://a.example/', content: 'x'.repeat(2_000_000) }]
  answer = (_request, response) => response.end(JSON.stringify({ results }))
  const large = await run({ apiUrl: buildUrl(engine) })
  assert.match(large.kind === 'failed' ? large.message : '', /too large/)
  answer = (_request, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  const slow = await run({ apiUrl: buildUrl(engine) }, 300)
  assert.match(slow.kind === 'failed' ? slow.message : '', /did not answer within 0\.3 seconds/)
})

test('a search that nobody waits for ends at once', async () => {
  const leaving = new AbortController()
  const arrived = new Promise<void>((resolve) => {
    answer = () => resolve()
  })
  const provider: SearchProvider = {
    type: 'searxng',
    apiKey: null,
    apiUrl: buildUrl(engine),
    maxResults: 5,
    isOwn: false,
  }
  const searching = createSearch({ http, ownHttp })(provider, query, leaving.signal)
  await arrived
  leaving.abort()
  assert.equal((await searching).kind, 'failed')
})
