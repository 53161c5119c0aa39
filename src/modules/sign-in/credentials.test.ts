import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RequestHeaders, readCredentials } from './credentials.ts'

const cases: readonly (readonly [guarantee: string, headers: RequestHeaders, values: readonly string[]])[] = [
  ['nothing sent is nothing', {}, []],
  ['a bearer value is read', { authorization: 'Bearer abc' }, ['abc']],
  ['the scheme is read in any case', { authorization: 'bEARER abc' }, ['abc']],
  ['white space around the value does not count', { authorization: '  Bearer \t abc  ' }, ['abc']],
  ['x-api-key is read', { 'x-api-key': ' abc ' }, ['abc']],
  ['Authorization comes first', { 'x-api-key': 'key', authorization: 'Bearer token' }, ['token', 'key']],
  ['the same value in both is tried once', { 'x-api-key': 'same', authorization: 'Bearer same' }, ['same']],
  ['a failed key helper sends nothing', { authorization: 'Bearer ', 'x-api-key': '' }, []],
  ['an empty bearer leaves x-api-key', { authorization: 'Bearer', 'x-api-key': 'key' }, ['key']],
  ['blanks are empty', { authorization: 'Bearer    ', 'x-api-key': '   ' }, []],
  ['another scheme is no credential', { authorization: 'Basic YTpi' }, []],
  ['a scheme as long as Bearer is another scheme too', { authorization: 'Digest abc' }, []],
  ['a tab may stand behind the scheme', { authorization: 'Bearer\tabc' }, ['abc']],
  ['a scheme that only begins like Bearer is another scheme', { authorization: 'Bearerabc' }, []],
  ['a value without a scheme is no credential', { authorization: 'sk-proxy-abc' }, []],
  ['a list of one is that one', { authorization: ['Bearer abc'] }, ['abc']],
  ['a header sent twice is not guessed at', { 'x-api-key': ['a', 'b'] }, []],
]

for (const [guarantee, headers, values] of cases) {
  test(guarantee, () => assert.deepEqual(readCredentials(headers), values))
}
