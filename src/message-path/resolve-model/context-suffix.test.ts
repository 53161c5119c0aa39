import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitContextSuffix } from './requested-name.ts'

test('the suffix means long context and is no part of the name', () => {
  assert.deepEqual(splitContextSuffix('claude-sonnet-5[1m]'), { logicalId: 'claude-sonnet-5', longContext: true })
  assert.deepEqual(splitContextSuffix('claude-sonnet-5[1M]'), { logicalId: 'claude-sonnet-5', longContext: true })
  assert.deepEqual(splitContextSuffix('claude-sonnet-5'), { logicalId: 'claude-sonnet-5', longContext: false })
})

test('only one suffix at the very end is taken off', () => {
  assert.equal(splitContextSuffix('claude-sonnet-5[1m]x').longContext, false)
  assert.equal(splitContextSuffix('claude[1m][1m]').logicalId, 'claude[1m]')
})
