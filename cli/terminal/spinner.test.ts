import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { withSpinner } from './spinner.ts'

test('a spinner turns only on a terminal and only after 300 ms, and leaves no trace', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    for (const [errIsTerminal, waitedMs, isShown] of [
      [true, 1_000, true],
      [true, 250, false],
      [false, 1_000, false],
    ] as const) {
      let text = ''
      const err = (part: string): void => {
        text += part
      }
      const work = Promise.withResolvers<string>()
      const waiting = withSpinner({ err, errIsTerminal }, work.promise)
      // Step by step: a timer that is started inside a tick begins where that tick ends.
      for (let passedMs = 0; passedMs < waitedMs; passedMs += 50) mock.timers.tick(50)
      work.resolve('answer')
      assert.equal(await waiting, 'answer')
      assert.equal(text.includes('asking'), isShown)
      if (isShown) assert.ok(text.endsWith('\r\u001b[2K'))
    }
  } finally {
    mock.timers.reset()
  }
})
