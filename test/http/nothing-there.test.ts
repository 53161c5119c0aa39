import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway

before(async () => {
  gateway = await startGateway({ database: 'none' })
})

after(() => gateway.stop())

function ask(path: string, method = 'POST'): Promise<Response> {
  const body = method === 'POST' ? { body: '{"messages":[]}' } : {}
  return fetch(`${gateway.url}${path}`, { method, headers: { 'content-type': 'application/json' }, ...body })
}

const mistakes: readonly (readonly [path: string, advice: RegExp])[] = [
  ['/v1/chat/completions', /choose Anthropic as the provider/],
  ['/chat/completions', /choose Anthropic as the provider/],
  ['/v1/responses', /choose Anthropic as the provider/],
  ['/v1/v1/messages?beta=true', /leave \/v1 out/],
  ['//v1/messages', /leave the slash out/],
  ['/messages', /with \/v1 at its end/],
  ['/messages/count_tokens', /with \/v1 at its end/],
  ['/v1/files', /GET \/openapi\.json lists what there is/],
]

for (const [path, advice] of mistakes) {
  test(`${path}: the refusal says what to change`, async () => {
    const response = await ask(path)
    assert.equal(response.status, 404)
    const { error, request_id } = (await response.json()) as { error: Record<string, string>; request_id: string }
    assert.deepEqual([error['type'], error['code']], ['not_found_error', 'route_not_found'])
    assert.match(error['message'] ?? '', advice)
    assert.equal(request_id, response.headers.get('request-id'))
  })
}

test('a listing of models without /v1 says where it is', async () => {
  const { error } = (await (await ask('/models', 'GET')).json()) as { error: { message: string } }
  assert.match(error.message, /with \/v1 at its end/)
})

const operations: readonly (readonly [path: string, words: RegExp, method?: string])[] = [
  ['/model/us.anthropic.claude-opus-4-8/converse', /Converse API is not offered here: use InvokeModel/],
  ['/model/us.anthropic.claude-opus-4-8/converse-stream', /Converse API is not offered here: use InvokeModel/],
  ['/model/us.anthropic.claude-opus-4-8/invoke-with-bidirectional-stream', /There is nothing at POST/],
  ['/guardrail/abc/version/1/apply', /There is nothing at POST \/guardrail/],
  ['/async-invoke', /There is nothing at GET \/async-invoke/, 'GET'],
  ['/model/us.anthropic.claude-opus-4-8/invoke', /GET is not possible here; use POST/, 'GET'],
]

for (const [path, words, method] of operations) {
  test(`${method ?? 'POST'} ${path}: not offered, and said in the form that libraries of the hosted service show`, async () => {
    const response = await ask(path, method)
    assert.equal(response.status, path.endsWith('/invoke') ? 405 : 404)
    assert.equal(response.headers.get('x-amzn-errortype'), 'UnknownOperationException')
    assert.equal(response.headers.get('x-amzn-requestid'), response.headers.get('request-id'))
    const body = (await response.json()) as { message: string }
    assert.deepEqual(Object.keys(body), ['message'])
    assert.match(body.message, words)
  })
}
