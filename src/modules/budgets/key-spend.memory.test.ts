import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeySpendMemory } from './key-spend.memory.ts'

test('what was read last is found, a key without spend as nothing spent, and only what is asked for', () => {
  const memory = createKeySpendMemory()
  memory.remember(
    ['a', 'b', 'c'],
    new Map([
      ['a', 5],
      ['b', 7],
    ]),
  )
  memory.remember(['b'], new Map())
  assert.deepEqual(
    [...memory.find(['a', 'b', 'new'])],
    [
      ['a', 5],
      ['b', 0],
    ],
  )
})

test('however many keys are listed, it remembers the newest 20,000', () => {
  const memory = createKeySpendMemory()
  const ids = Array.from({ length: 50_000 }, (_, index) => `key-${index}`)
  for (const id of ids) memory.remember([id], new Map([[id, 1]]))
  const found = memory.find(ids)
  assert.equal(found.size, 20_000)
  assert.ok(found.has('key-49999') && !found.has('key-0'))
})
