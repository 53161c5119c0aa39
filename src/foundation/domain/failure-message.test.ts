import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortenFailureMessage } from './failure-message.ts'

const long = 'please rewrite the secret plan of the merger for the board'
const forty = 'x'.repeat(40)

test('quoted text over 40 characters becomes an ellipsis, in every kind of quotes', () => {
  for (const [open, close] of ['""', "''", '``', '“”'].map((pair) => [...pair]))
    assert.equal(
      shortenFailureMessage(`messages.0: got ${open}${long}${close}, expected a list`),
      'messages.0: got "…", expected a list',
    )
})

test('a quote that has quotes in it, or no end, is left out whole', () => {
  assert.equal(shortenFailureMessage(`got "say \\"${long}\\" twice".`), 'got "…".')
  assert.equal(shortenFailureMessage(`got "${long} and so on`), 'got "…"')
})

test('short quotes and apostrophes are kept', () => {
  for (const text of [
    `tools.0: "${forty}" is not allowed, use 'auto' or "any"`,
    "You've reached your monthly budget: it doesn't reset until the 1st of the month, so it can't be used before.",
  ])
    assert.equal(shortenFailureMessage(text), text)
})

test('a message has at most 500 characters, counted as people count them', () => {
  const text = shortenFailureMessage('🦀'.repeat(600))
  assert.equal([...text].length, 500)
  assert.ok(text.endsWith('🦀…'))
  assert.equal(shortenFailureMessage('a'.repeat(500)), 'a'.repeat(500))
})
