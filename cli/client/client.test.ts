import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './find-record.ts'
import { parseBlock } from './server-events.ts'

test('the nearest name is offered when it is near enough', () => {
  const names = ['ci-build', 'nightly', 'ada@example.com']
  assert.equal(nearest('ci-biuld', names), 'ci-build')
  assert.equal(nearest('ada', names), 'ada@example.com')
  assert.equal(nearest('something else', names), undefined)
})

test('events are read with their name and data, comments are passed over', () => {
  assert.deepEqual(parseBlock('event: request\ndata: {"a":\ndata: 1}'), { event: 'request', data: '{"a":\n1}' })
  assert.equal(parseBlock(': still here'), undefined)
})
