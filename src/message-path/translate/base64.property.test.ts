import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeOneLine } from './base64.ts'

function oneLine(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)))
}

test('decodes what Buffer decodes, in place, with line breaks as spaces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), fc.nat(20), fc.boolean(), (bytes, offset, padded) => {
      const encoded = Buffer.from(bytes).toString('base64')
      const text = padded ? encoded : encoded.replace(/=+$/, '')
      const source = Buffer.from(`${'.'.repeat(offset)}${text}"rest`)
      const target = Buffer.alloc(bytes.length + offset + 8, 0x2a)
      const length = decodeOneLine(source, offset, offset + text.length, target, offset)
      assert.equal(length, bytes.length)
      assert.deepEqual(target.subarray(offset, offset + length), oneLine(bytes))
      assert.ok(target.subarray(offset + length).every((byte) => byte === 0x2a))
    }),
  )
})

test('refuses any character outside the alphabet', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 3, maxLength: 60, size: 'max' }),
      fc.nat(),
      fc.constantFrom('"', '!', '-', '_', ' ', '\n', 'é'),
      (bytes, place, odd) => {
        const text = Buffer.from(bytes).toString('base64').replace(/=+$/, '')
        const at = place % (text.length - 1)
        const source = Buffer.from(text.slice(0, at) + odd + text.slice(at + 1), 'latin1')
        assert.equal(decodeOneLine(source, 0, source.length, Buffer.alloc(200), 0), -1)
      },
    ),
  )
})
