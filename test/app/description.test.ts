/** The API description against what the gateway answers on routes that do not use the common error format. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { groupBody, type ScimApp, type ScimProvider, startScimApp, userBody } from '../scim/scim-app.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Record<string, unknown> }>>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Content> }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

let app: ScimApp
let provider: ScimProvider
let key = ''
let described: Description

before(async () => {
  app = await startScimApp()
  provider = await app.addProvider('Described')
  key = (await app.admin('POST', '/admin/keys', { name: 'described' })).body.key
  described = (await (await fetch(`${app.url}/openapi.json`)).json()) as Description
})

after(() => app.stop())

/** The media type and the body must be those that are described for this status, or by default. */
async function assertDescribed(method: string, template: string, response: Response): Promise<void> {
  const operation = described.paths[template]?.[method.toLowerCase()]
  const { content } = operation?.responses[response.status] ?? operation?.responses['default'] ?? {}
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const schema = content?.[type]?.schema
  assert.ok(schema !== undefined, `${method} ${template} answers ${response.status} as ${type}, which is not described`)
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
  const whole = name === undefined ? schema : described.components.schemas[name]
  assert.ok(whole !== undefined)
  const body: unknown = await response.json()
  const read = z.fromJSONSchema(whole).safeParse(body)
  assert.ok(read.success, `${method} ${template}: ${JSON.stringify(body)} ${read.error?.message}`)
}

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
      await assertDescribed(method, template, response)
    }
})

test('a method that a Bedrock path does not have is refused in the form of Bedrock', async () => {
  const response = await fetch(`${app.url}/inference-profiles`, { method: 'DELETE' })
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
  assert.deepEqual(Object.keys((await response.json()) as object), ['message'])
})

test('SCIM answers and fails as it is described', async () => {
  const { body: user } = await provider.scim(
    'POST',
    '/Users',
    userBody('described@example.com', { emails: [{ value: 'd@example.com' }], name: { givenName: 'D' } }),
  )
  const { body: group } = await provider.scim('POST', '/Groups', groupBody('Described', [user.id]))
  for (const [template, path] of [
    ['/scim/v2/Users', '/Users'],
    ['/scim/v2/Users', '/Users?attributes=userName'],
    ['/scim/v2/Users/{id}', `/Users/${user.id}`],
    ['/scim/v2/Users/{id}', '/Users/7'],
    ['/scim/v2/Groups', '/Groups'],
    ['/scim/v2/Groups', '/Groups?filter=nonsense'],
    ['/scim/v2/Groups/{id}', `/Groups/${group.id}`],
    ['/scim/v2/ServiceProviderConfig', '/ServiceProviderConfig'],
    ['/scim/v2/ResourceTypes', '/ResourceTypes'],
    ['/scim/v2/ResourceTypes/{id}', '/ResourceTypes/User'],
    ['/scim/v2/Schemas', '/Schemas'],
    ['/scim/v2/Schemas/{id}', '/Schemas/none'],
  ] as const)
    for (const token of [provider.token, 'scim-unknown'])
      await assertDescribed(
        'GET',
        template,
        await fetch(`${app.url}/scim/v2${path}`, { headers: { authorization: `Bearer ${token}` } }),
      )
})

test('patterns use nothing that only JavaScript knows', () => {
  const patterns = [...JSON.stringify(described).matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)]
  assert.ok(patterns.length > 100)
  for (const [, pattern = ''] of patterns) assert.doesNotMatch(pattern, /\\p\{|\\u\{/)
})
