import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnorderedList } from './unordered-list.ts'

const member = (name: string) => ({ name, place: -1 })

test('members leave in any order and the others stay', () => {
  const bag = new UnorderedList<ReturnType<typeof member>>()
  const [a, b, c] = [member('a'), member('b'), member('c')]
  for (const one of [a, b, c]) bag.add(one)
  assert.equal(bag.remove(a), true)
  assert.deepEqual(new Set(bag.all()), new Set([b, c]))
  assert.equal(bag.remove(c), true)
  assert.equal(bag.remove(b), true)
  assert.equal(bag.size, 0)
})

test('adding or removing twice changes nothing', () => {
  const bag = new UnorderedList<ReturnType<typeof member>>()
  const [a, b] = [member('a'), member('b')]
  bag.add(a)
  bag.add(a)
  bag.add(b)
  assert.equal(bag.size, 2)
  assert.equal(bag.remove(a), true)
  assert.equal(bag.remove(a), false)
  assert.deepEqual(bag.all(), [b])
})

test('a member that left may come back', () => {
  const bag = new UnorderedList<ReturnType<typeof member>>()
  const a = member('a')
  bag.add(a)
  bag.remove(a)
  bag.add(a)
  assert.deepEqual(bag.all(), [a])
})
