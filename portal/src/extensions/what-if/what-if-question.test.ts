import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareIn, whatIfIn, writeSentence } from './what-if-question.ts'

test('the address has both models and the share; what it has made up counts as left out', () => {
  assert.deepEqual(whatIfIn({ was: 'claude-opus-5', instead: 'claude-sonnet-5', share: '45' }), {
    from: 'claude-opus-5',
    to: 'claude-sonnet-5',
    share: 45,
  })
  // The days of a range are no models.
  assert.deepEqual(whatIfIn({ from: '2026-10-01', to: '2026-10-31', share: '101' }), {
    from: undefined,
    to: undefined,
    share: 30,
  })
  assert.deepEqual(['1', '100', '0', '', '-1', '1.5', '007', undefined].map(shareIn), [
    1,
    100,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

const formats = {
  usd: (value: number) => `$${value.toLocaleString('en-US')}`,
  share: (value: number) => `${Math.round(value * 100)}%`,
}

test('one sentence says what it would have been', () => {
  const told = (difference: number, share: number | null) =>
    writeSentence(
      {
        share: 30,
        spend_usd: 1630,
        what_if: {
          from: { name: 'Opus 5' },
          to: { name: 'Sonnet 5' },
          would_spend_usd: 1630 + difference,
          difference_usd: difference,
          difference_share: share,
        },
      },
      formats,
    )
  assert.equal(
    told(-426, -426 / 1630),
    'If 30% of the calls to Opus 5 had gone to Sonnet 5, this period would have cost $1,204 instead of $1,630: $426 less (26%).',
  )
  assert.match(told(20, 20 / 1630), /\$20 more \(1%\)\.$/)
  assert.match(told(0, 0), /: no difference\.$/)
  assert.match(told(5, null), /: \$5 more\.$/)
})
