import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiTypes } from '../../tools/portal/generate-api-types.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })

test('every part of an operation becomes a type, and what may be absent is marked so', () => {
  const text = apiTypes({
    paths: {
      '/things/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
          ],
          responses: {
            200: json({
              type: 'object',
              properties: {
                state: { enum: ['on', 'off', null] },
                tags: { type: 'array', items: { type: 'string' } },
                note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                'odd-name': { type: ['number', 'null'] },
              },
              required: ['state', 'tags', 'note'],
            }),
            404: {},
          },
        },
      },
    },
    components: { schemas: { Error: { type: 'object', properties: {}, additionalProperties: false } } },
  })
  assert.match(text, /path: \{ id: string \}; cookie\?: never/)
  assert.match(text, /query\?: \{ limit\?: number \| undefined \}/)
  assert.match(text, /state: 'on' \| 'off' \| null; tags: \(string\)\[\]; note: string \| null/)
  assert.match(text, /'odd-name'\?: number \| null \| undefined/)
  assert.match(text, /404: \{ headers: \{ \[name: string\]: unknown \}; content\?: never \}/)
  assert.match(text, /post\?: never/)
  assert.match(text, /'Error': Record<string, never>/)
})

test('patterns beside a type do not hide it', () => {
  const body = { allOf: [{}, {}], type: 'string' } as const
  const text = apiTypes({ paths: { '/x': { put: { requestBody: json(body), responses: {} } } } })
  assert.match(text, /requestBody\?: \{ content: \{ 'application\/json': string \} \}/)
})

test('a name from the description cannot break out of the file', () => {
  const text = apiTypes({ paths: { "/it's": { get: { responses: {} } } } })
  assert.match(text, /'\/it\\'s': \{/)
})
