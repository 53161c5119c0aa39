import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeExact, changeShown, changeText, percentText } from './change.ts'

const dollars = (value: number): string => `$${value.toFixed(2)}`

test('a change has its amount and its percentage, with one sign for both', () => {
  assert.equal(changeText(12, 10, dollars), '+$2.00 (+20%)')
  assert.equal(changeText(9.5, 10, dollars), '−$0.50 (−5%)')
  assert.equal(changeText(0, 10, dollars), '−$10.00 (−100%)')
})

test('of nothing there is no percentage', () => {
  assert.equal(changeText(3, 0, dollars), '+$3.00 (none before)')
  assert.equal(changeText(0, 0, dollars), 'none in either')
  assert.equal(percentText(3, 0), '')
  assert.deepEqual(changeExact(3, 0), [0, 3, null])
  assert.deepEqual(changeShown(3, 0, dollars), ['$0.00', '+$3.00', '–'])
})

test('what only the arithmetic adds is no change', () => {
  assert.equal(changeText(0.1 + 0.2, 0.3, dollars), 'no change')
  assert.deepEqual(changeExact(0.1 + 0.2, 0.3), [0.3, 0, 0])
})

test('a file has the numbers that the table shows', () => {
  assert.deepEqual(changeExact(12, 10), [10, 2, 20])
  assert.deepEqual(changeShown(12, 10, dollars), ['$10.00', '+$2.00', '+20%'])
  assert.deepEqual(changeExact(null, 10), [10, null, null])
  assert.deepEqual(changeShown(12, null, dollars), ['–', '–', '–'])
})
