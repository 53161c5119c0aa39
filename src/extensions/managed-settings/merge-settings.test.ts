import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeSettings, ownSettings } from './merge-settings.ts'

test('objects merge, values and allow-lists are replaced, deny-lists add up without doubles', () => {
  const merged = mergeSettings([
    { a: { x: 1, y: 1 }, list: [1], permissions: { deny: ['A', 'B'], allow: ['C'] } },
    { a: { y: 2 }, list: [2], permissions: { deny: ['B', 'D'], allow: ['E'] } },
  ])
  assert.deepEqual(merged, { a: { x: 1, y: 2 }, list: [2], permissions: { deny: ['A', 'B', 'D'], allow: ['E'] } })
})

test('a document cannot take a denial of the gateway away', () => {
  const merged = mergeSettings([ownSettings('disabled'), { permissions: { deny: [] } }])
  assert.deepEqual(merged['permissions'], { deny: ['WebSearch'] })
})

test('names of built-in properties are plain names', () => {
  const hostile = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  ) as object
  const merged = mergeSettings([{ a: 1 }, hostile as Record<string, unknown>])
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  assert.equal((merged as Record<string, unknown>)['polluted'], undefined)
  assert.equal(Object.hasOwn(merged, '__proto__'), true)
})
