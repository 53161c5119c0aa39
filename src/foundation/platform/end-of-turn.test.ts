import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEndOfTurn } from './end-of-turn.ts'

test('all who wait in one turn go on in a row, in their order, when it ends', async () => {
  const endOfTurn = createEndOfTurn()
  const steps: string[] = []
  const go = async (name: string): Promise<void> => {
    await endOfTurn()
    steps.push(`${name} begins`)
    await undefined
    steps.push(`${name} goes on`)
  }
  const all = [go('a'), go('b')]
  process.nextTick(() => all.push(go('c')))
  await Promise.resolve()
  assert.deepEqual(steps, [], 'not before the turn is over')
  await nextTurn()
  await Promise.all(all)
  assert.deepEqual(steps, ['a begins', 'b begins', 'c begins', 'a goes on', 'b goes on', 'c goes on'])
})

test('who waits later waits for the end of a later turn, also from within one that ends', async () => {
  const endOfTurn = createEndOfTurn()
  const first = endOfTurn()
  let isOver = false
  const later = first.then(async () => {
    assert.notEqual(endOfTurn(), first)
    await endOfTurn()
    isOver = true
  })
  await first
  assert.equal(isOver, false)
  await later
  assert.equal(isOver, true)
})
