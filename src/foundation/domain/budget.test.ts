import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockingNanoUsd, budgetPresets, decideBudget, periodAt } from './budget.ts'
import { budgetTermsNow, defaultTerms, listBudgetTerms } from './budget-terms.ts'
import type { Caller } from './caller.ts'
import { defaultSettings } from './settings.ts'
import type { User } from './user.ts'

const span = (period: 'daily' | 'weekly' | 'monthly', at: string) => {
  const { startMs, endMs } = periodAt(period, Date.parse(at))
  return [new Date(startMs).toISOString().slice(0, 19), new Date(endMs).toISOString().slice(0, 19)]
}

test('periods begin at midnight UTC, on Mondays and on the first, exact to the millisecond', () => {
  assert.deepEqual(span('daily', '2026-03-29T23:59:59.999Z'), ['2026-03-29T00:00:00', '2026-03-30T00:00:00'])
  assert.deepEqual(span('daily', '2026-03-30T00:00:00.000Z'), ['2026-03-30T00:00:00', '2026-03-31T00:00:00'])
  assert.deepEqual(span('weekly', '2026-11-15T23:59:59.999Z'), ['2026-11-09T00:00:00', '2026-11-16T00:00:00'])
  assert.deepEqual(span('weekly', '2026-11-16T00:00:00.000Z'), ['2026-11-16T00:00:00', '2026-11-23T00:00:00'])
  assert.deepEqual(span('weekly', '2027-01-01T12:00:00Z'), ['2026-12-28T00:00:00', '2027-01-04T00:00:00'])
  assert.deepEqual(span('monthly', '2026-12-31T23:59:59.999Z'), ['2026-12-01T00:00:00', '2027-01-01T00:00:00'])
  assert.deepEqual(span('weekly', '2028-02-28T12:00:00Z'), ['2028-02-28T00:00:00', '2028-03-06T00:00:00'])
  assert.deepEqual(span('monthly', '2028-02-29T12:00:00Z'), ['2028-02-01T00:00:00', '2028-03-01T00:00:00'])
})

test('the presets decide as the contract says', () => {
  const at = (policy: keyof typeof budgetPresets, spent: number) => {
    const { status, rpm } = decideBudget(spent, 100, budgetPresets[policy])
    return [status, rpm]
  }
  assert.deepEqual(at('standard', 79.99), ['ok', null])
  assert.deepEqual(at('standard', 80), ['warning', null])
  assert.deepEqual(at('standard', 100), ['blocked', null])
  assert.deepEqual(at('soft', 100), ['warning', null])
  assert.deepEqual(at('soft', 150), ['blocked', null])
  assert.deepEqual(at('shaped', 99), ['warning', null])
  assert.deepEqual(at('shaped', 100), ['shaped', 5])
  assert.deepEqual(at('shaped', 150), ['blocked', null])
  assert.equal(blockingNanoUsd({ limitNanoUsd: 100, rules: budgetPresets.soft }), 150)
  assert.equal(blockingNanoUsd({ limitNanoUsd: 100, rules: [{ atPercent: 50, action: 'notify' }] }), undefined)
  assert.equal(blockingNanoUsd({ limitNanoUsd: 1_001, rules: [{ atPercent: 50, action: 'block' }] }), 500.5)
})

test('what remains is never negative', () => {
  assert.equal(decideBudget(50, 100, budgetPresets.standard).remainingNanoUsd, 50)
  assert.deepEqual(decideBudget(130, 100, budgetPresets.soft), {
    status: 'warning',
    percent: 130,
    remainingNanoUsd: 0,
    rpm: null,
  })
})

test('the percentage is that of whole nano-dollars, without the noise of a second rounding', () => {
  const takePercent = (spent: number, limit: number) => decideBudget(spent, limit, []).percent
  assert.deepEqual([takePercent(1_346_400, 1_000_000), takePercent(897_600, 500_000)], [134.64, 179.52])
})

const user: User = {
  id: 'u',
  subject: 'u@example.com',
  email: null,
  role: 'member',
  grants: [],
  teamId: 't',
  active: true,
  identity: null,
  bootstrap: false,
  sessionEpoch: 0,
  createdAt: '',
}
const budget = (scope: 'user' | 'team', subjectId: string, limitNanoUsd: number, memberLimitNanoUsd: number | null) =>
  ({ scope, subjectId, limitNanoUsd, period: 'weekly', rules: budgetPresets.soft, memberLimitNanoUsd }) as const

const noTopUps = { userTopUps: new Map(), teamTopUps: new Map() }
const neverAsked = (): number => {
  throw new Error('without top-ups nobody looks at the clock')
}

test('a user has the own budget, else the member limit of the team, else the default; a key without a user has none of these', () => {
  const person: Caller = { kind: 'session', sessionId: 's', user, team: null }
  const default_budget = { limit_usd: 2, period: 'daily', policy: [{ at_percent: 10, action: 'block' }] }
  const settings = { ...defaultSettings, default_budget }
  const sources = (caller: Caller, own: boolean, member: number | null, team = true) =>
    listBudgetTerms(
      caller,
      {
        ...noTopUps,
        settings,
        userBudgets: new Map(own ? [['u', budget('user', 'u', 5, null)]] : []),
        teamBudgets: new Map(team ? [['t', budget('team', 't', 100, member)]] : []),
      },
      neverAsked,
    ).map(({ source, limitNanoUsd, period }) => [source, limitNanoUsd, period])
  const teamTerms = ['team', 100, 'weekly']
  assert.deepEqual(sources(person, true, 7), [['own', 5, 'weekly'], teamTerms])
  assert.deepEqual(sources(person, false, 7), [['team-member', 7, 'weekly'], teamTerms])
  assert.deepEqual(sources(person, false, null), [['default', 2_000_000_000, 'daily'], teamTerms])
  assert.deepEqual(sources(person, false, null, false), [['default', 2_000_000_000, 'daily']])
  const key = { id: 'k', teamId: 't' } as Extract<Caller, { kind: 'key' }>['key']
  assert.deepEqual(sources({ kind: 'key', key, user: null, team: null }, false, 7), [teamTerms])
  assert.deepEqual(sources({ kind: 'key', key: { ...key, teamId: null }, user: null, team: null }, true, 7), [])
  assert.deepEqual(sources({ kind: 'key', key: { ...key, teamId: 'other' }, user, team: null }, true, 7), [
    ['own', 5, 'weekly'],
  ])
})

test('a default budget that cannot be read blocks instead of lifting the limit', () => {
  assert.equal(defaultTerms({ limit_usd: 'much' })?.limitNanoUsd, 0)
  assert.equal(decideBudget(0, 0, budgetPresets.standard).status, 'blocked')
})

test('of the rules that hold the strictest decides, of two paces the one that was reached later; a limit of nothing is used up', () => {
  const paces = [
    { atPercent: 50, action: 'shape', rpm: 20 },
    { atPercent: 80, action: 'shape', rpm: 4 },
    { atPercent: 90, action: 'notify' },
  ] as const
  const at = (spent: number) => {
    const { status, rpm } = decideBudget(spent, 100, paces)
    return [status, rpm]
  }
  assert.deepEqual(
    [at(49), at(50), at(80)],
    [
      ['ok', null],
      ['shaped', 20],
      ['shaped', 4],
    ],
  )
  assert.deepEqual(at(95), ['shaped', 4], 'a notice further up does not lift the pace')
  assert.equal(decideBudget(0, 0, budgetPresets.soft).percent, 100)
  assert.equal(decideBudget(1, 2, []).percent, 50)
})

test('the default budget has the rules of its policy, and the strict ones where it names none', () => {
  const readRules = (policy?: unknown) => defaultTerms({ limit_usd: 1, period: 'daily', policy })?.rules
  assert.equal(readRules(), budgetPresets.standard)
  assert.equal(readRules('standard'), budgetPresets.standard)
  assert.equal(readRules('soft'), budgetPresets.soft)
  assert.equal(readRules('shaped'), budgetPresets.shaped)
  assert.equal(readRules('lenient'), budgetPresets.standard)
  const own = [
    { at_percent: 50, action: 'shape', rpm: 3 },
    { at_percent: 90, action: 'block' },
  ]
  assert.deepEqual(readRules(own), [
    { atPercent: 50, action: 'shape', rpm: 3 },
    { atPercent: 90, action: 'block' },
  ])
  assert.equal(defaultTerms(null), undefined)
  assert.equal(defaultTerms({ limit_usd: 1 })?.period, 'monthly')
  assert.equal(defaultTerms({ limit_usd: 0 })?.limitNanoUsd, 0)
  assert.equal(defaultTerms({ limit_usd: 0.000_000_001 })?.limitNanoUsd, 1)
})

test('without a default nobody is limited who has no budget, neither alone nor in a team', () => {
  const person: Caller = { kind: 'session', sessionId: 's', user, team: null }
  const settings = { ...defaultSettings, default_budget: null }
  const facts = { ...noTopUps, settings, userBudgets: new Map(), teamBudgets: new Map() }
  assert.deepEqual(listBudgetTerms(person, facts, neverAsked), [])
  assert.deepEqual(listBudgetTerms({ ...person, user: { ...user, teamId: null } }, facts, neverAsked), [])
})

test('what holds for a subject now is found by its scope: a team is not a person with the same id', () => {
  const facts = {
    ...noTopUps,
    settings: { ...defaultSettings, default_budget: { limit_usd: 2, period: 'daily' } },
    userBudgets: new Map([['own', budget('user', 'own', 5, null)]]),
    teamBudgets: new Map([['t', budget('team', 't', 100, 7)]]),
    users: new Map(['own', 'u', 't'].map((id) => [id, { ...user, id, teamId: id === 'u' ? 't' : null }])),
  }
  const now = (scope: 'user' | 'team', subjectId: string) => {
    const terms = budgetTermsNow({ scope, subjectId }, facts, neverAsked)
    return terms && [terms.scope, terms.subjectId, terms.source, terms.limitNanoUsd]
  }
  assert.deepEqual(now('user', 'own'), ['user', 'own', 'own', 5])
  assert.deepEqual(now('user', 'u'), ['user', 'u', 'team-member', 7])
  assert.deepEqual(now('user', 't'), ['user', 't', 'default', 2_000_000_000])
  assert.deepEqual(now('team', 't'), ['team', 't', 'team', 100])
  assert.equal(now('team', 'own'), undefined)
  assert.equal(now('team', 'u'), undefined)
  assert.equal(now('user', 'gone'), undefined)
})

test('a percentage with a fraction is exactly its part of the limit wherever that is a whole amount', () => {
  for (const limitNanoUsd of [9_900_000, 1e9, 5e10, 1e11, 1e12])
    for (let tenths = 1; tenths <= 10_000; tenths += 1) {
      const product = BigInt(limitNanoUsd) * BigInt(tenths)
      if (product % 1_000n !== 0n) continue
      const rules = [{ atPercent: tenths / 10, action: 'block' }] as const
      assert.equal(blockingNanoUsd({ limitNanoUsd, rules }), Number(product / 1_000n))
    }
})

test('a top-up is on the limit of whichever terms hold for its subject, until it ends, and touches nothing else', () => {
  const person: Caller = { kind: 'session', sessionId: 's', user, team: null }
  const default_budget = { limit_usd: 2, period: 'daily' }
  const own = budget('user', 'u', 5, null)
  const team = budget('team', 't', 100, 7)
  const facts = {
    settings: { ...defaultSettings, default_budget },
    userBudgets: new Map([['u', own]]),
    teamBudgets: new Map([['t', team]]),
    users: new Map([['u', user]]),
    userTopUps: new Map([
      ['u', [30, 40].map((amountNanoUsd, index) => ({ amountNanoUsd, endsAtMs: 1_000 * (index + 1) }))],
    ]),
    teamTopUps: new Map([['t', [{ amountNanoUsd: 9, endsAtMs: 1_000 }]]]),
  }
  const at = (nowMs: number, changed: Partial<typeof facts> = {}, lastMs?: number) =>
    listBudgetTerms(person, { ...facts, ...changed }, () => nowMs, lastMs).map(
      ({ source, limitNanoUsd, topUpNanoUsd }) => [source, limitNanoUsd, topUpNanoUsd],
    )
  assert.deepEqual(at(999), [
    ['own', 75, 70],
    ['team', 109, 9],
  ])
  assert.deepEqual(at(1_000), [
    ['own', 45, 40],
    ['team', 100, 0],
  ])
  assert.deepEqual(at(2_000)[0], ['own', 5, 0])
  assert.deepEqual(at(2_000, {}, 999), at(999), 'a period that has ended keeps what counted in it')
  assert.deepEqual(at(999, { userBudgets: new Map() })[0], ['team-member', 77, 70])
  assert.deepEqual(at(999, { userBudgets: new Map(), teamBudgets: new Map() }), [['default', 2_000_000_070, 70]])
  const now = budgetTermsNow({ scope: 'user', subjectId: 'u' }, facts, () => 999)
  assert.deepEqual([now?.limitNanoUsd, now?.rules], [75, own.rules])
  assert.equal(budgetTermsNow({ scope: 'team', subjectId: 't' }, facts, () => 999)?.limitNanoUsd, 109)
  assert.equal(
    budgetTermsNow({ scope: 'team', subjectId: 'u' }, facts, () => 999),
    undefined,
  )
  for (const nowMs of [999, 5_000])
    assert.equal(listBudgetTerms(person, facts, () => nowMs)[0]?.rules, own.rules, 'rules are passed on, not copied')
})
