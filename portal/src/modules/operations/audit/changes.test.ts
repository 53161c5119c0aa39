import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listChanges, shown } from './changes.ts'

test('only fields that differ are told, also those that came or went', () => {
  assert.deepEqual(listChanges({ role: 'member', team: 'a', old: 1 }, { role: 'admin', team: 'a', fresh: [1] }), [
    { field: 'role', before: 'member', after: 'admin' },
    { field: 'old', before: 1, after: undefined },
    { field: 'fresh', before: undefined, after: [1] },
  ])
})

test('a creation and a deletion show every field, and a bare value is a field of its own', () => {
  assert.equal(listChanges(null, { a: 1, b: 2 }).length, 2)
  assert.equal(listChanges({ a: 1 }, undefined).length, 1)
  assert.deepEqual(listChanges(true, false), [{ field: 'value', before: true, after: false }])
})

test('values are written so that text and missing things can be told apart', () => {
  assert.deepEqual(['x', 1, null, undefined, { a: [] }].map(shown), ['x', '1', 'null', '–', '{"a":[]}'])
})
