import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, newRequestId, timeOfId } from './ids.ts'

test('request ids are UUIDs of version 7 that never repeat and tell their time', () => {
  const beforeMs = Date.now()
  const ids = Array.from({ length: 5_000 }, newRequestId)
  const afterMs = Date.now()
  assert.equal(new Set(ids.map((id) => id.slice(16))).size, ids.length)
  for (const id of ids) {
    assert.match(id, /^req_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    const timeMs = Number.parseInt(id.slice(4, 16), 16)
    assert.ok(timeMs >= beforeMs && timeMs <= afterMs)
  }
})

test('an id tells when it was made', () => {
  const beforeMs = Date.now()
  const timeMs = timeOfId(newId())
  assert.ok(timeMs >= beforeMs && timeMs <= Date.now())
})

test('every random digit of a request id takes every value', () => {
  const ids = Array.from({ length: 2_000 }, newRequestId)
  for (let at = 17; at < 36; at += 1)
    assert.equal(new Set(ids.map((id) => id[at])).size, at === 20 ? 4 : 16, `digit ${at}`)
})
