import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sixDecimals } from './budget-headers.ts'

test('amounts have six decimals and are right to half a millionth of a dollar', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 9 * 10 ** 15 }), (nanoUsd) => {
      const shown = sixDecimals(nanoUsd)
      assert.match(shown, /^-?(0|[1-9]\d*)\.\d{6}$/)
      const micros = BigInt(shown.replace('.', ''))
      const difference = BigInt(nanoUsd) - micros * 1_000n
      assert.ok(difference >= -500n && difference <= 500n, `${nanoUsd} became ${shown}`)
    }),
  )
})

test('what rounds to nothing has no sign', () => {
  assert.deepEqual([0, -1, 499, 500, -500, 1_000_000_000].map(sixDecimals), [
    '0.000000',
    '0.000000',
    '0.000000',
    '0.000001',
    '-0.000001',
    '1.000000',
  ])
})
