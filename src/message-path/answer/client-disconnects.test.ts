import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerLimits } from './answer-limits.ts'
import { createClientDisconnects } from './client-disconnects.ts'

test('so many answers are read on at once; one more is given up immediately, and an end makes room', () => {
  const disconnects = createClientDisconnects({ ...answerLimits, maxDrains: 3 })
  let givenUp = 0
  const begin = () =>
    disconnects.begin(() => {
      givenUp += 1
    })
  const running = [begin(), begin(), begin()]
  assert.equal(givenUp, 0)
  const refused = begin()
  assert.equal(givenUp, 1)
  refused.done()
  assert.equal(disconnects.drains(), 3)
  running[0]?.done()
  running[0]?.done()
  assert.equal(disconnects.drains(), 2)
  running.push(begin())
  assert.equal(givenUp, 1)
  for (const one of running) one.done()
  assert.equal(disconnects.drains(), 0)
})

test('an answer that does not come is given up when its time is over', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disconnects = createClientDisconnects(answerLimits)
  let givenUp = 0
  disconnects.begin(() => {
    givenUp += 1
  })
  t.mock.timers.tick(29_999)
  assert.equal(givenUp, 0)
  t.mock.timers.tick(1)
  assert.equal(givenUp, 1)
})
