import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseFilter, parsePath } from './attribute-path.ts'
import { ScimFailure } from './scim-failure.ts'
import { userAttributes } from './scim-filter.store.ts'

const condition = fc.record({
  attribute: fc.constantFrom(...userAttributes.filter((name) => name !== 'active')),
  operator: fc.constantFrom('eq' as const, 'co' as const, 'sw' as const),
  value: fc.string({ unit: 'grapheme', maxLength: 20, size: 'max' }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
})

test('every filter that is written out is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 6 }), (conditions) => {
      const text = conditions
        .map((one) => `${one.attribute} ${one.operator} ${JSON.stringify(one.value)}`)
        .join(' and ')
      const expected = conditions.map((one) => ({ ...one }))
      assert.deepEqual(parseFilter(text, userAttributes), expected)
    }),
  )
})

test('no text makes the readers fail in another way than by a refusal', () => {
  const part = fc.constantFrom(
    'userName',
    'eq',
    'and',
    '(',
    ')',
    '[',
    ']',
    '"a"',
    '"',
    '.value',
    'true',
    ' ',
    '\\',
    'é',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join(' ')),
      ),
      (text) => {
        for (const read of [() => parseFilter(text, userAttributes), () => parsePath(text)]) {
          try {
            read()
          } catch (error) {
            assert.ok(error instanceof ScimFailure, String(error))
          }
        }
      },
    ),
    { numRuns: 500 },
  )
})
