import assert from 'node:assert/strict'
import { test } from 'node:test'
import { viewAddress } from './view-address.ts'

test('a view is what was chosen, without the row that is open and the place in the list', () => {
  assert.equal(
    viewAddress('/requests', { status: 'error', team: '=A & B', id: 'req_1', cursor: 'abc', tool: undefined }),
    '#/requests?status=error&team=%3DA+%26+B',
  )
  assert.equal(viewAddress('/org-analytics', {}), '#/org-analytics')
})

test('every address that is made is one that the gateway takes', () => {
  const taken = /^#\/(?:org-analytics|requests|me\/requests)(?:\?[\w.~!$&'()*+,;=:@/?%-]*)?$/
  const odd = 'ä "<>#[]{}|\\^`\u0001 +&=?/:;,@!*\'()~'
  assert.match(viewAddress('/me/requests', { q: odd, 'a b': odd }), taken)
})
