import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from './defined.ts'

test('undefined members are absent, everything else stays in its order', () => {
  const name: string | undefined = undefined
  const members = defined({ name, count: 0, text: '', nothing: null, isOn: false, last: undefined })
  assert.deepEqual(Object.entries(members), [
    ['count', 0],
    ['text', ''],
    ['nothing', null],
    ['isOn', false],
  ])
})
