import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactly, isWanted, modelShown, nameWanted, requestsHref } from './exact-name.ts'

test('a link means the names in it and no longer ones; its range, marks and session stay as they are', () => {
  const search = exactly({
    model: 'claude-opus-5',
    team: undefined,
    tool: 'Read',
    flag: 'unpriced',
    from: '2026-11-15',
  })
  assert.deepEqual(search, { model: '=claude-opus-5', tool: '=Read', flag: 'unpriced', from: '2026-11-15' })
  assert.equal(requestsHref({ user: 'a+b@example.com' }), '#/requests?user=%3Da%2Bb%40example.com')
  assert.equal(nameWanted('=claude-opus-5'), 'claude-opus-5')
  assert.equal(nameWanted('opus'), 'opus')
})

test('a call without a model has a name to show, and a link that means it alone', () => {
  assert.deepEqual(['', '(other)', 'claude-opus-5'].map(modelShown), ['No model', 'All other models', 'claude-opus-5'])
  assert.equal(requestsHref({ model: '' }), '#/requests?model=%3D')
  assert.equal(isWanted('', '='), true)
  assert.equal(isWanted('claude-opus-5', '='), false)
})

test('a call that arrives live is compared with a filter as the gateway does it', () => {
  assert.equal(isWanted('joann@example.com', '=ann@example.com'), false)
  assert.equal(isWanted('ann@example.com', '=ann@example.com'), true)
  assert.equal(isWanted('joann@example.com', 'ANN@'), true)
  assert.equal(isWanted('joann@example.com', 'bob'), false)
  assert.equal(isWanted('joann@example.com', undefined), true)
  assert.equal(
    isWanted('laptop', '=0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000001'),
    true,
  )
  assert.equal(
    isWanted('laptop', '=0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'),
    false,
  )
  for (const filter of ['(none)', '=(none)']) assert.equal(isWanted(null, filter), true)
  assert.equal(isWanted(null, '=ann@example.com'), false)
})
