import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideBudget } from '../../foundation/domain/budget.ts'
import { type SimulatedTerms, type SubjectSpend, simulate } from './simulation.ts'

const FINISHED = 2
const rules = [
  { atPercent: 50, action: 'warn' },
  { atPercent: 80, action: 'shape', rpm: 5 },
  { atPercent: 100, action: 'block' },
] as SimulatedTerms['rules']

const person = fc.record({
  // Few, so that names and amounts meet.
  name: fc.constantFrom('ada', 'bo', 'cy', 'dee', 'eve', 'fay', 'gus'),
  spent: fc.option(fc.constantFrom(0, 10, 50, 80, 99, 100, 200), { nil: undefined }),
  stoppedOn: fc.array(fc.constantFrom(null, '2026-10-05', '2026-10-20'), { minLength: FINISHED, maxLength: FINISHED }),
})

test('whoever has spent nothing is counted and listed as if everybody had been judged and sorted', () => {
  fc.assert(
    fc.property(
      fc.array(person, { maxLength: 30, size: 'max' }),
      fc.constantFrom(1, 3, 10, 100),
      fc.constantFrom(0, 100),
      (people, most, limitNanoUsd) => {
        const terms = { limitNanoUsd, rules }
        const subjects = new Map(people.map(({ name }, index) => [`id-${index}`, name]))
        const spends = new Map<string, SubjectSpend>(
          people.flatMap(({ spent, stoppedOn }, index) =>
            spent === undefined ? [] : [[`id-${index}`, { subjectId: `id-${index}`, spentNanoUsd: spent, stoppedOn }]],
          ),
        )
        const result = simulate(subjects, spends, terms, { finished: FINISHED, most })
        const all = people.map(({ name, spent = 0, stoppedOn }, index) => ({
          subjectId: `id-${index}`,
          name,
          stoppedOn: spends.has(`id-${index}`) ? stoppedOn : [null, null],
          spentNanoUsd: spent,
          ...decideBudget(spent, limitNanoUsd, rules),
        }))
        const weight = (one: (typeof all)[number]): readonly [number, number, number, string] => [
          -['ok', 'warning', 'shaped', 'blocked'].indexOf(one.status),
          -one.stoppedOn.filter((day) => day !== null).length,
          -one.percent,
          one.name,
        ]
        const inOrder = all.map(weight).sort((a, b) => {
          for (const place of [0, 1, 2] as const) if (a[place] !== b[place]) return a[place] - b[place]
          return a[3] < b[3] ? -1 : a[3] > b[3] ? 1 : 0
        })
        const listed = result.subjects.map((subject) => weight(all.find((one) => one.subjectId === subject.subjectId)!))
        assert.deepEqual(listed, inOrder.slice(0, most))
        assert.equal(new Set(result.subjects.map(({ subjectId }) => subjectId)).size, listed.length)
        for (const status of ['warning', 'shaped', 'blocked'] as const)
          assert.equal(result.counts[status], all.filter((one) => one.status === status).length, status)
        assert.equal(result.above, all.filter((one) => one.spentNanoUsd > limitNanoUsd).length)
        assert.deepEqual(
          result.stopped,
          [0, 1].map((place) => all.filter(({ stoppedOn }) => stoppedOn[place] !== null).length),
        )
      },
    ),
    { numRuns: 1_000 },
  )
})
