import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { mistakesIn, wordsFor } from './schema-mistakes.ts'

const rule = z.strictObject({ at_percent: z.number(), action: z.enum(['notify', 'block']) })
const schema = z.strictObject({
  count: z.int().min(1).max(200),
  limit: z.number().positive(),
  name: z.string().min(1).max(3),
  on: z.boolean(),
  owner: z.uuid(),
  period: z.enum(['daily', 'weekly']),
  policy: z.union([z.enum(['standard', 'soft']), z.array(rule).min(1).max(2)]),
  until: z.iso.datetime(),
  own: z.string().regex(/^x/, 'must begin with x'),
})
const right = {
  count: 1,
  limit: 1,
  name: 'abc',
  on: true,
  owner: '00000000-0000-4000-8000-000000000000',
  period: 'daily',
  policy: 'soft',
  until: '2026-01-31T12:00:00Z',
  own: 'x',
}

const mistakes = (change: object): readonly string[] => {
  const result = schema.safeParse({ ...right, ...change }, { error: wordsFor })
  return result.success ? [] : mistakesIn(result.error.issues).map(({ path, message }) => `${path}: ${message}`)
}

const cases: readonly (readonly [change: object, ...expected: string[]])[] = [
  [{}],
  [{ count: undefined }, 'count: is needed'],
  [{ period: undefined }, 'period: is needed'],
  [{ policy: undefined }, 'policy: is needed'],
  [{ count: 0 }, 'count: must be at least 1'],
  [{ count: 201 }, 'count: must be at most 200'],
  [{ count: 1.5 }, 'count: must be a whole number'],
  [{ count: '1' }, 'count: must be a number'],
  [{ limit: 0 }, 'limit: must be more than 0'],
  [{ name: '' }, 'name: must have at least 1 character'],
  [{ name: 'abcd' }, 'name: must have at most 3 characters'],
  [{ name: null }, 'name: must be text'],
  [{ on: 'true' }, 'on: must be true or false'],
  [{ owner: 'me' }, 'owner: must be a UUID'],
  [{ period: 'yearly' }, 'period: must be one of daily, weekly'],
  [{ until: 'tomorrow' }, 'until: must be a time such as 2026-01-31T12:00:00Z'],
  [{ own: 'y' }, 'own: must begin with x'],
  [{ more: 1 }, 'more: There is no such field here.'],
  [{ policy: 'hard' }, 'policy: must be one of standard, soft, or a list'],
  [{ policy: [] }, 'policy: must have at least 1 entry'],
  [{ policy: [{ at_percent: 'x', action: 'block' }] }, 'policy.0.at_percent: must be a number'],
  [{ policy: [{ at_percent: 1, action: 'block', rpm: 3 }] }, 'policy.0.rpm: There is no such field here.'],
]

for (const [change, ...expected] of cases)
  test(`${JSON.stringify(change)} is answered in words`, () => assert.deepEqual(mistakes(change), expected))
