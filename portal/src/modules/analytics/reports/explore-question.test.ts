import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groups, othersBefore, questionIn } from './explore-question.ts'

test('what an address makes up counts as left out', () => {
  const usual = { measure: 'spend', by: 'team', top: 10, chart: 'bars' }
  assert.deepEqual(questionIn({}), usual)
  assert.deepEqual(questionIn({ measure: 'joy', by: 'moon', top: '7', chart: 'pie' }), usual)
  assert.deepEqual(questionIn({ measure: 'tokens', by: 'user', top: '50', chart: 'table' }), {
    measure: 'tokens',
    by: 'user',
    top: 50,
    chart: 'table',
  })
})

test('times go with models and endpoints, an area with time', () => {
  assert.equal(questionIn({ measure: 'p95', by: 'user' }).by, 'model')
  assert.deepEqual(
    groups('first_token_p50').map(({ value }) => value),
    ['model', 'endpoint'],
  )
  assert.equal(questionIn({ chart: 'area' }).chart, 'bars')
  assert.equal(questionIn({ by: 'time', chart: 'area' }).chart, 'area')
})

test('the others of now are compared with the same others of before', () => {
  const now = { measure: 'spend', total: 9, rows: [{ name: 'a', value: 5 }] } as const
  const before = {
    measure: 'spend',
    total: 12,
    others: null,
    rows: [
      { name: 'b', value: 7 },
      { name: 'a', value: 4 },
      { name: 'c', value: 1 },
    ],
  } as const
  assert.equal(othersBefore(now, before), 8)
  assert.equal(othersBefore(now, { ...before, others: { groups: 1, value: 1 } }), null)
  assert.equal(othersBefore({ ...now, measure: 'cache_share' }, before), null)
})
