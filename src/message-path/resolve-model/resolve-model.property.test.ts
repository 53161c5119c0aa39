import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleMapping } from '../sample-calls.fixture.ts'
import { findByDatedAlias } from './requested-name.ts'
import { selectProfile } from './select-profile.ts'

const word = fc.constantFrom('claude', 'opus', 'sonnet', 'x', '3', '4', '5', '8', '20270101', 'v1', 'preview', '')
const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join('-'))
const suffix = fc.constantFrom(
  '',
  '-v1',
  '-v1:0',
  '-20270101-v1:0',
  '-20270101',
  '-5',
  '-5-20270101-v1:0',
  '-preview',
  '0',
)

/** What may follow the asked name inside a stem: nothing, a date, a version suffix, or both. */
const allowedRest = /^(?:-20\d{6})?(?:-v\d+(?::[0-9a-z]+)*)?$/

test('no profile is selected that merely begins with, or holds, the asked name', () => {
  fc.assert(
    fc.property(name, fc.array(fc.tuple(name, suffix), { maxLength: 6 }), (asked, stems) => {
      const profiles = [...stems, [asked, '-5'], [asked, '-preview'], [asked, '0']].map(([stem, rest]) => ({
        profileId: `us.anthropic.${stem}${rest}`,
        name: '',
      }))
      const found = selectProfile(asked, profiles)
      if (found === undefined) return
      const stem = found.hostedModelId.slice('anthropic.'.length)
      const at = stem.lastIndexOf(asked)
      assert.ok(at === 0 || stem[at - 1] === '-', `${asked} in ${stem}`)
      assert.match(stem.slice(at + asked.length), allowedRest)
    }),
    { numRuns: 2_000 },
  )
})

test('a dated alias is found only under the equal undated name', () => {
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (asked, keys) => {
      const rows = new Map(keys.map((key) => [key, sampleMapping(key, `anthropic.${key}`)]))
      const found = findByDatedAlias(asked, (id) => rows.get(id))
      if (found !== undefined) assert.equal(`${found.vendorPrefix}-20270101`, asked)
    }),
    { numRuns: 2_000 },
  )
})
