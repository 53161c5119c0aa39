import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntheticEvent } from '../../foundation/domain/notification.ts'
import { findSubject } from './topic.ts'

test('a subject has at most 100 printable ASCII characters, whatever people are called', () => {
  const event = syntheticEvent('id', 0)
  assert.equal(findSubject(event), '[warning] budget_warning: notification-test')
  for (const userIdentity of ['Žofie\n😀', 'x'.repeat(500), '\u0000\u007f', '', null]) {
    const subject = findSubject({ ...event, userIdentity })
    assert.match(subject, /^[\x20-\x7e]{1,100}$/)
  }
  assert.match(findSubject({ ...event, userIdentity: null }), /Notification test$/)
})
