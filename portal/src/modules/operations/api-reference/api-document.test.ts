import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildExample, listOperations, writeCurl } from './api-document.ts'

const document = {
  paths: {
    '/admin/teams': {
      post: {
        tags: ['Teams'],
        summary: 'Create a team',
        'x-access': 'admin',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { name: { type: 'string' }, note: { type: 'string' } },
                required: ['name'],
              },
            },
          },
        },
        responses: { 201: { description: 'The team' }, default: { description: 'Any error' } },
      },
      get: { tags: ['Teams'], parameters: [{ name: 'limit', in: 'query' }], responses: {} },
    },
  },
}

test('every method of every path is an operation with its body, answers and parameters', () => {
  const [post, get] = listOperations(document)
  assert.deepEqual(
    [post?.method, post?.tag, post?.access, post?.body],
    ['POST', 'Teams', 'admin', '{\n  "name": "…"\n}'],
  )
  assert.deepEqual(post?.answers, [{ status: '201', text: 'The team' }])
  assert.deepEqual(get?.parameters, [{ name: 'limit', place: 'query', isRequired: false }])
  assert.equal(get?.body, undefined)
})

test('an example holds what must be there, of the right kind', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b', 'c', 'd', 'e'],
    properties: {
      a: { enum: ['x', 'y'] },
      b: { type: 'integer' },
      c: { type: 'array', items: { type: 'boolean' } },
      d: { anyOf: [{ type: 'null' }, { type: 'string' }] },
      e: { type: ['string', 'null'], format: 'uuid' },
      f: { type: 'string' },
    },
  }
  assert.deepEqual(buildExample(schema), { a: 'x', b: 1, c: [true], d: '…', e: '0190a000-0000-7000-8000-000000000000' })
})

test('the command can be pasted: quoted address, token from the environment, body on one line', () => {
  const [post, get] = listOperations(document)
  assert.ok(post && get)
  assert.equal(
    writeCurl(get, 'https://gw'),
    `curl 'https://gw/admin/teams' \\\n  -H "authorization: Bearer $CAUSEWAY_TOKEN"`,
  )
  assert.match(writeCurl(post, 'https://gw'), /^curl -X POST .*-d '\{"name":"…"\}'$/s)
})

test('a body of another JSON type has its example and is sent as that type', () => {
  const content = { 'application/scim+json': { schema: { type: 'object' } } }
  const [post] = listOperations({ paths: { '/scim/v2/Users': { post: { requestBody: { content } } } } })
  assert.ok(post)
  assert.equal(post.body, '{}')
  assert.match(writeCurl(post, 'https://gw'), /-H 'content-type: application\/scim\+json'/)
})
