import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRules, presets, writeRules } from './budget-rules.ts'

test('rules survive being written and read', () => {
  for (const rules of Object.values(presets))
    assert.deepEqual(parseRules(writeRules(rules)), { rules, problem: undefined })
})

test('percent signs, blanks and capitals do not matter', () => {
  assert.deepEqual(parseRules('  80 %  Notify\n\n120% shape 3 ').rules, [
    { at_percent: 80, action: 'notify' },
    { at_percent: 120, action: 'shape', rpm: 3 },
  ])
})

test('what the gateway would refuse is said before it is sent', () => {
  const cases: readonly (readonly [text: string, problem: RegExp])[] = [
    ['', /at least one/],
    ['soon notify', /is not a rule/],
    ['100 notify\n80 block', /higher percentage/],
    ['80 block\n100 notify', /after block/],
    ['100 shape', /calls a minute/],
    ['100 notify 5', /Only shape/],
    ['1 notify\n2 notify\n3 notify\n4 notify\n5 notify\n6 block', /Five/],
  ]
  for (const [text, problem] of cases) assert.match(parseRules(text).problem ?? 'none', problem, text)
})
