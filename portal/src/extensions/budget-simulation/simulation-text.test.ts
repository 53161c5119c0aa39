import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulationText } from './simulation-text.ts'

const months = [
  { from: '2026-10-01', to: '2026-10-31', stopped: 5 },
  { from: '2026-09-01', to: '2026-09-30', stopped: 0 },
]
const current = { above: 3, warning: 2, shaped: 0, blocked: 3 }

test('many people are told in numbers, of today and of the last period', () => {
  assert.equal(
    simulationText({ scope: 'default', total: 24, current, finished: months, subjects: [] }),
    '3 of 24 people would be above this today (2 warned, 3 stopped); 5 would have been stopped last month.',
  )
  const week = [{ from: '2026-11-09', to: '2026-11-15', stopped: 1 }]
  assert.equal(
    simulationText({
      scope: 'members',
      total: 1,
      current: { above: 0, warning: 0, shaped: 0, blocked: 0 },
      finished: week,
      subjects: [],
    }),
    '0 of 1 person would be above this today; 1 would have been stopped last week.',
  )
  assert.equal(
    simulationText({ scope: 'members', total: 0, current, finished: week, subjects: [] }),
    'It would be for nobody.',
  )
})

test('one person or team is told with its days', () => {
  const one = { percent: 84.6, status: 'warning', stopped_on: ['2026-10-09', null] } as const
  assert.equal(
    simulationText({ scope: 'user', total: 1, current, finished: months, subjects: [one] }),
    'This person would be at 85% now, warned, and would have been stopped on 9 Oct.',
  )
  const never = { percent: 4, status: 'ok', stopped_on: [null, null] } as const
  assert.equal(
    simulationText({ scope: 'team', total: 1, current, finished: months, subjects: [never] }),
    'The team would be at 4% now, within it, and would not have been stopped in the 2 months before.',
  )
  assert.equal(
    simulationText({ scope: 'team', total: 1, current, finished: [], subjects: [{ ...never, stopped_on: [] }] }),
    'The team would be at 4% now, within it.',
  )
})
