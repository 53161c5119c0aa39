import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashVirtualKey, makeVirtualKey, virtualKeyPrefix } from './virtual-key.ts'

test('a key is sk-proxy- and 43 base62 characters, shown by its first 16, stored as the SHA-256 of the whole', () => {
  const { key, hash, prefix } = makeVirtualKey()
  assert.match(key, /^sk-proxy-[0-9A-Za-z]{43}$/)
  assert.equal(prefix, key.slice(0, 16))
  assert.equal(hash, createHash('sha256').update(key).digest('hex'))
  assert.equal(hashVirtualKey(key), hash)
  assert.equal(virtualKeyPrefix(key), prefix)
})

test('no two of 5,000 keys are equal and every character comes up about as often as the others', () => {
  const keys = Array.from({ length: 5_000 }, () => makeVirtualKey().key)
  assert.equal(new Set(keys).size, keys.length)
  const counts = new Map<string, number>()
  for (const char of keys.map((key) => key.slice(9)).join('')) counts.set(char, (counts.get(char) ?? 0) + 1)
  const expected = (5_000 * 43) / 62
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  assert.equal(counts.size, 62)
  // 61 degrees of freedom: a fair source passes 130 once in a million runs; a plain modulo gives more than 600.
  assert.ok(chiSquare < 130, `chi-square ${chiSquare}`)
})

test('bytes that would favour the first letters are thrown away', () => {
  let call = 0
  const { key } = makeVirtualKey((size) => new Uint8Array(size).fill(call++ === 0 ? 255 : 61))
  assert.equal(key, `sk-proxy-${'z'.repeat(43)}`)
})
