/** The API description against what the gateway answers on routes that do not use the common error format. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { assertDescribed, type Description, readDescription } from './api-description.ts'

let app: TestGateway
let key = ''
let described: Description

before(async () => {
  app = await startGateway()
  const made = await fetch(`${app.url}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await login(app.url)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'described' }),
  })
  key = ((await made.json()) as { key: string }).key
  described = await readDescription(app.url)
})

after(() => app.stop())

test('routes in the form of Amazon Bedrock answer and fail as they are described', async () => {
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
  const wrapped = { input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString('base64') } } }
  const model = '/model/us.anthropic.claude-sonnet-5'
  for (const [method, template, path, sent, status] of [
    ['GET', '/inference-profiles', '/inference-profiles', undefined, 200],
    ['GET', '/inference-profiles/{id}', '/inference-profiles/us.anthropic.claude-sonnet-5', undefined, 200],
    ['GET', '/inference-profiles/{id}', '/inference-profiles/us.nothing', undefined, 404],
    ['POST', '/model/{model_id}/invoke', `${model}/invoke`, body, 200],
    ['POST', '/model/{model_id}/invoke', `${model}/invoke`, { max_tokens: 9 }, 400],
    ['POST', '/model/{model_id}/invoke-with-response-stream', '/model/none/invoke-with-response-stream', body, 404],
    ['POST', '/model/{model_id}/count-tokens', `${model}/count-tokens`, wrapped, 200],
    ['POST', '/model/{model_id}/count-tokens', `${model}/count-tokens`, {}, 400],
  ] as const)
    for (const token of [key, 'sk-proxy-unknown']) {
      const response = await fetch(`${app.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      assert.equal(response.status, token === key ? status : 401, `${method} ${path}`)
      if (response.status >= 400) assert.ok(response.headers.get('x-amzn-errortype'))
      await assertDescribed(described, method, template, response)
    }
})

test('a method that a Bedrock path does not have is refused in the form of Bedrock', async () => {
  const response = await fetch(`${app.url}/inference-profiles`, { method: 'DELETE' })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
  assert.deepEqual(Object.keys((await response.json()) as object), ['message'])
})

test('patterns use nothing that only JavaScript knows', () => {
  const patterns = [...JSON.stringify(described).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)]
  assert.ok(patterns.length > 100)
  for (const [, pattern = ''] of patterns) assert.doesNotMatch(pattern, /\\p\{|\\u\{/)
})
