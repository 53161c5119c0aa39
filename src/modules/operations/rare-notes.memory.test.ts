import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRareNotes } from './rare-notes.memory.ts'

function makeNotes(maxNames = 10) {
  let nowMs = 1_000
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const notes = createRareNotes<string>({ clock, pauseMs: 300_000, maxNames })
  const note = (name: string): void => notes.note(name, (atMs) => `${name}@${atMs}`)
  return { notes, note, advance: (ms: number) => (nowMs += ms) }
}

test('a name is handed out once in a pause, however often it is noted', () => {
  const { notes, note, advance } = makeNotes()
  for (let i = 0; i < 100; i++) note('a')
  assert.deepEqual(notes.take(), ['a@1000'])
  advance(299_999)
  note('a')
  assert.deepEqual(notes.take(), [])
  advance(1)
  note('a')
  assert.deepEqual(notes.take(), ['a@301000'])
})

test('names do not share their pause', () => {
  const { notes, note } = makeNotes()
  note('a')
  note('b')
  assert.deepEqual(notes.take(), ['a@1000', 'b@1000'])
})

test('after a failed write the next note of the same name counts again', () => {
  const { notes, note, advance } = makeNotes()
  note('a')
  notes.take()
  notes.forget()
  advance(10)
  note('a')
  assert.deepEqual(notes.take(), ['a@1010'])
})

test('a crowd of names stays within the bound, and no name is handed out twice at once', () => {
  const { notes, note } = makeNotes(10)
  for (let i = 0; i < 1_000; i++) note(`name ${i % 15}`)
  const taken = notes.take()
  assert.ok(taken.length <= 10, `${taken.length}`)
  assert.equal(new Set(taken).size, taken.length)
})
