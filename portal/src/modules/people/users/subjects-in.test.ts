import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectsIn } from './subjects-in.ts'

test('people are named one a line or as mail programs write them, and nobody twice', () => {
  const typed = ' ada@example.com \r\n\n bob@example.com, S-1-5-21\nAda@example.com'
  assert.deepEqual(subjectsIn(typed), ['Ada@example.com', 'bob@example.com', 'S-1-5-21'])
  const mailed = 'Lovelace, Ada <ada@example.com>; "Bob" <bob@example.com>, cy@example.com; Di <di@example.com>'
  assert.deepEqual(subjectsIn(mailed), ['ada@example.com', 'bob@example.com', 'cy@example.com', 'di@example.com'])
  assert.deepEqual(subjectsIn(' \n ,; '), [])
})
