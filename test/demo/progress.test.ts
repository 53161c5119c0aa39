import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DemoError } from '../../tools/demo/demo-error.ts'
import { createPaint, createProgress, describeFailure } from '../../tools/demo/progress.ts'

const ESCAPE = '\u001b'

function record(isTerminal: boolean, hasColor: boolean) {
  let text = ''
  const progress = createProgress({ write: (part) => void (text += part), isTerminal, hasColor })
  return { progress, text: () => text }
}

test('without a terminal each step is one plain line', async () => {
  const { progress, text } = record(false, false)
  const result = await progress.step('Counting', async (show) => {
    show('50 %')
    show('3 of 3')
    return 3
  })
  assert.equal(result, 3)
  assert.match(text(), /^done: Counting \(3 of 3\) \d+\.\d s\n$/)
})

test('on a terminal the line is rewritten, and colours stay away when they are not wanted', async () => {
  const { progress, text } = record(true, false)
  await progress.step('Counting', async () => progress.say('a word in between'))
  assert.ok(text().includes(`\r${ESCAPE}[2K`))
  assert.ok(text().includes('a word in between\n'))
  assert.equal(text().replaceAll(`${ESCAPE}[2K`, '').includes(ESCAPE), false)
  assert.match(text(), /✔ Counting \d+\.\d s\n$/)
})

test('a failed step is marked and its error goes on', async () => {
  const { progress, text } = record(false, false)
  await assert.rejects(
    progress.step('Counting', () => Promise.reject(new Error('no fingers'))),
    /no fingers/,
  )
  assert.match(text(), /^failed: Counting/)
})

test('a failure shows the end of the log, what happened and what to do', () => {
  const failure = new DemoError('The gateway did not start.', 'Read the lines above.', ['first', 'second'])
  assert.equal(
    describeFailure(failure, createPaint(false)),
    '\n  first\n  second\nThe gateway did not start.\nRead the lines above.',
  )
})
