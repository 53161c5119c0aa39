import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecretBox } from './secret-box.ts'

const box = createSecretBox(randomBytes(32))
const context = 'idps.client_secret:1'

test('a sealed secret opens to what it was', () => {
  for (const plain of ['', 'a', 'geheim \u{1f511}', 'x'.repeat(10_000)])
    assert.equal(box.open(box.seal(plain, context), context), plain)
})

test('the same secret never looks the same twice, and is not readable', () => {
  const first = box.seal('canary-secret', context)
  const second = box.seal('canary-secret', context)
  assert.notDeepEqual(first, second)
  assert.equal(first.includes('canary-secret'), false)
})

test('a secret that was moved to another row does not open', () => {
  const sealed = box.seal('canary', context)
  assert.throws(() => box.open(sealed, 'idps.client_secret:2'), /cannot be opened/)
})

test('another key does not open it', () => {
  assert.throws(() => createSecretBox(randomBytes(32)).open(box.seal('canary', context), context), /cannot be opened/)
})

test('every flipped bit and every cut is an error, never garbage', () => {
  const sealed = box.seal('canary', context)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Buffer.from(sealed)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    assert.throws(() => box.open(flipped, context), /cannot be opened/, `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++)
    assert.throws(() => box.open(sealed.subarray(0, length), context), /cannot be opened/, `length ${length}`)
})

test('boxes over the same secret open each other, as instances and restarts must', () => {
  const secret = randomBytes(32)
  assert.equal(createSecretBox(secret).open(createSecretBox(secret).seal('canary', context), context), 'canary')
})

test('a short secret is refused', () => {
  assert.throws(() => createSecretBox(Buffer.alloc(31)), /at least 32 bytes/)
})
