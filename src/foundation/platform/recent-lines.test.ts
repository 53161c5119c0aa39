import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecentLines } from './recent-lines.ts'

test('everything that is held is read at first, and then what is new', () => {
  const recent = createRecentLines()
  assert.deepEqual(recent.read(), { text: '', end: 0 })
  recent.add('one\n')
  recent.add('two\nthree\n')
  const seen = recent.read()
  assert.deepEqual(seen, { text: 'one\ntwo\nthree\n', end: 14 })
  assert.deepEqual(recent.read(seen.end), { text: '', end: 14 })
  recent.add('four\n')
  assert.deepEqual(recent.read(seen.end), { text: 'four\n', end: 19 })
})

test('the oldest lines go when there are too many, and the place to read on from stays true', () => {
  const recent = createRecentLines(100)
  for (let index = 0; index < 1_000; index += 1) {
    recent.add(`line ${String(index).padStart(4, '0')}\n`)
    const { text, end } = recent.read()
    assert.equal(end, (index + 1) * 10)
    assert.equal(text.length, Math.min(index + 1, 10) * 10)
    assert.ok(text.endsWith(`line ${String(index).padStart(4, '0')}\n`))
    assert.equal(recent.read(end - 10).text, `line ${String(index).padStart(4, '0')}\n`)
  }
})

test('one line longer than all that is held is kept until the next one', () => {
  const recent = createRecentLines(10)
  recent.add(`${'x'.repeat(50)}\n`)
  assert.equal(recent.read().text.length, 51)
  recent.add('short\n')
  assert.equal(recent.read().text, 'short\n')
})
