import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunningAnswers, type Track } from './running-answers.ts'

function outsideOf() {
  const stops: (() => void)[] = []
  let open = 0
  const track: Track = (stop) => {
    stops.push(stop)
    open += 1
    return {
      done: () => {
        open -= 1
      },
    }
  }
  return { track, stops, open: () => open }
}

test('the shutdown waits until the last answer is done', () => {
  const outside = outsideOf()
  const track = createRunningAnswers(outside.track)
  const first = track(() => {})
  const second = track(() => {})
  assert.equal(outside.open(), 1)
  first.done()
  first.done()
  assert.equal(outside.open(), 1)
  second.done()
  assert.equal(outside.open(), 0)
  track(() => {})
  assert.equal(outside.open(), 1)
})

test('when time is up every running answer is stopped, also when stopping ends it', () => {
  const outside = outsideOf()
  const track = createRunningAnswers(outside.track)
  const stopped: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const work: { done: () => void } = track(() => {
      stopped.push(name)
      work.done()
    })
  }
  for (const stop of outside.stops) stop()
  assert.deepEqual(stopped.sort(), ['a', 'b', 'c'])
  assert.equal(outside.open(), 0)
})
