/** What the gate takes from a lease by itself, and what it asks the database for, seen from a database that writes down every question. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type Budget, budgetPresets } from '../../src/foundation/domain/budget.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import type { BudgetRequest, BudgetReservation } from '../../src/message-path/ports.ts'
import { createBudgetGate } from '../../src/modules/budgets/budget-gate.memory.ts'
import type {
  AccountSpend,
  BudgetAnswer,
  BudgetAsk,
  BudgetSpend,
  LeaseChange,
} from '../../src/modules/budgets/budget-spend.store.ts'
import { asEvent, callerOf, snapshotOf } from './gate-world.ts'

let monotonicMs = 0
const clock = { nowMs: () => Date.parse('2026-11-15T12:00:00Z'), monotonicMs: () => monotonicMs }
beforeEach(() => {
  monotonicMs = 1_000
})

/** Admits whatever is asked for, unless a test says otherwise; `leased` is what the instance holds of it. */
function createFakeSpend() {
  const fake = {
    asks: [] as BudgetAsk[],
    kept: [] as LeaseChange[],
    spent: 0,
    others: 0,
    leased: 0,
    answer: (ask: BudgetAsk): BudgetAnswer | Promise<BudgetAnswer> => fake.granted(ask, ask.wantedNanoUsd.length),
    granted: (ask: BudgetAsk, admitted: number): BudgetAnswer => {
      const wanted = ask.wantedNanoUsd.slice(0, admitted).reduce((sum, one) => sum + one, 0)
      fake.leased = ask.keepNanoUsd + wanted + ask.roomNanoUsd
      return { spentNanoUsd: fake.spent, othersNanoUsd: fake.others, leasedNanoUsd: fake.leased, admitted }
    },
    whenRead: (): Promise<void> => Promise.resolve(),
  }
  const store: Pick<BudgetSpend, 'take' | 'keepLeases' | 'read' | 'forgetInstance'> = {
    take: async (ask) => {
      fake.asks.push(ask)
      return await fake.answer(ask)
    },
    keepLeases: async (_, changes) => {
      fake.kept.push(...changes)
    },
    read: async (accounts): Promise<readonly AccountSpend[]> => {
      const seen = accounts.map(() => ({ spentNanoUsd: fake.spent, othersNanoUsd: fake.others }))
      await fake.whenRead()
      return seen
    },
    forgetInstance: async () => {},
  }
  return { fake, store: store as BudgetSpend }
}

const aBudget = (limitNanoUsd: number, scope: Budget['scope'] = 'user'): Budget => ({
  scope,
  subjectId: newId(),
  limitNanoUsd,
  period: 'daily',
  rules: budgetPresets.standard,
  memberLimitNanoUsd: null,
})

function startGate(budget: Budget, team?: Budget) {
  const { fake, store } = createFakeSpend()
  let own = budget
  let snapshot = snapshotOf(team === undefined ? [budget] : [budget, team])()
  const change = (fields: Partial<Budget>): void => {
    own = { ...own, ...fields }
    snapshot = snapshotOf([own])()
  }
  const gate = createBudgetGate({
    clock,
    isStoring: true,
    instanceId: newId(),
    findStore: () => store,
    onAway: (error) => assert.fail(String(error)),
    onEvent: () => {},
    hurryStoring: () => {},
    snapshot: () => snapshot,
  })
  const request: BudgetRequest = {
    caller: callerOf(budget.subjectId, team?.subjectId),
    hostedModelId: 'model',
    modelId: 'us.model',
    region: 'us-east-1',
    requestBytes: 1_000,
    maxTokens: 100,
  }
  /** Stored at once, as the database counts it. */
  const land = (record: SpendRecord): Promise<void> =>
    gate.whileStoring([record], async () => {
      fake.spent += record.costNanoUsd
    })
  const settle = async ({ hold }: Held, fields: Partial<SpendRecord> = {}): Promise<void> => {
    const record = { ...asEvent(budget.subjectId, 1_000, clock.nowMs()), ...fields }
    hold?.settle(record)
    await land(record)
  }
  return { fake, gate, request, land, settle, change }
}

type Held = Extract<BudgetReservation, { kind: 'held' }>

function requireHeld(reservation: BudgetReservation): Held {
  assert.ok(reservation.kind === 'held', reservation.kind)
  return reservation
}

/** What one call of these reserves once its caller is known: a prompt of 10.5 tokens and an output of 100, at 1,000 each. */
const USUAL = 110_500
/** A whole context and the output that was asked for. */
const WORST = (1_000_000 + 100) * 1_000
const FAR = 1e12
const LEASE_TRUST_MS = 10_000

test('what is taken without a question is covered by the lease, to the last call', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(FAR))
  await settle(requireHeld(await gate.reserve(request)))
  monotonicMs += LEASE_TRUST_MS
  requireHeld(await gate.reserve(request))
  assert.deepEqual(fake.asks.at(-1)?.wantedNanoUsd, [USUAL])
  let taken = 1
  let next = gate.reserve(request)
  for (; !(next instanceof Promise); next = gate.reserve(request)) {
    requireHeld(next)
    taken += 1
    assert.ok(taken * USUAL <= fake.leased, `${taken} calls of a lease of ${fake.leased}`)
  }
  assert.ok(taken > 10, `only ${taken} calls were let in at once`)
  requireHeld(await next)
  assert.equal(fake.asks.at(-1)?.keepNanoUsd, taken * USUAL, 'what runs is asked for again')
})

test('a lease is trusted for ten seconds after the question that gave it', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(FAR))
  await settle(requireHeld(await gate.reserve(request)))
  await settle(requireHeld(await gate.reserve(request)))
  const asked = fake.asks.length
  monotonicMs += 9_999
  const last = gate.reserve(request)
  assert.ok(!(last instanceof Promise))
  await settle(requireHeld(last))
  monotonicMs += 1
  requireHeld(await gate.reserve(request))
  assert.equal(fake.asks.length, asked + 1)
  monotonicMs += 9_000
  await gate.sync()
  monotonicMs += 9_999
  assert.ok(!(gate.reserve(request) instanceof Promise), 'every exchange keeps it alive')
})

test('who comes while others wait for the database waits too, for the next question', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(FAR))
  for (let call = 0; call < 2; call += 1) {
    monotonicMs += LEASE_TRUST_MS
    await settle(requireHeld(await gate.reserve(request)))
  }
  const asked = fake.asks.length
  const answered = Promise.withResolvers<void>()
  fake.answer = (ask) => answered.promise.then(() => fake.granted(ask, ask.wantedNanoUsd.length))
  const waiting = [{ ...request, requestBytes: 10_000_000 }, request, request].map((one) => gate.reserve(one))
  assert.ok(waiting.every((one) => one instanceof Promise))
  assert.equal(fake.asks.length, asked + 1)
  answered.resolve()
  for (const one of await Promise.all(waiting)) requireHeld(one)
  assert.deepEqual(fake.asks.at(-1)?.wantedNanoUsd, [USUAL, USUAL], 'those who came meanwhile are asked for together')
  assert.equal(fake.asks.length, asked + 2)
})

test('the database is told where calls stop, by the rules of the moment and in whole nano-dollars', async () => {
  const { fake, gate, request, change } = startGate(aBudget(1_001))
  const stopsAt = async (): Promise<number | undefined> => {
    monotonicMs += LEASE_TRUST_MS
    requireHeld(await gate.reserve(request)).hold?.release()
    return fake.asks.at(-1)?.limitNanoUsd
  }
  assert.equal(await stopsAt(), 1_001)
  change({ rules: [{ atPercent: 50, action: 'block' }] })
  assert.equal(await stopsAt(), 501)
  change({ limitNanoUsd: 2_000 })
  assert.equal(await stopsAt(), 1_000)
  change({ rules: [{ atPercent: 50, action: 'notify' }] })
  assert.equal(await stopsAt(), Number.MAX_SAFE_INTEGER)
})

test('room for further calls is asked for far from the limit only: a small part of what all instances have left', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(1_000_000_000))
  const roomWith = async (spent: number, others: number): Promise<number | undefined> => {
    fake.spent = spent
    fake.others = others
    await gate.sync()
    monotonicMs += LEASE_TRUST_MS
    requireHeld(await gate.reserve(request)).hold?.release()
    return fake.asks.at(-1)?.roomNanoUsd
  }
  await settle(requireHeld(await gate.reserve(request)))
  assert.equal(await roomWith(0, 0), 16 * USUAL)
  assert.equal(await roomWith(968_000_000, 0), 1_000_000)
  assert.equal(await roomWith(0, 968_000_000), 1_000_000)
  assert.equal(await roomWith(500_000_000, 499_000_000), 0, 'less than one call')
})

test('of a lease that is larger than what was left no more is taken than others have left', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(10_000_000))
  fake.others = 6_000_000
  await settle(requireHeld(await gate.reserve(request)), { costNanoUsd: 3_000_000 })
  assert.deepEqual(fake.asks.at(-1)?.wantedNanoUsd, [WORST], 'a stranger, for whom more was given than was left')
  const last = gate.reserve(request)
  assert.ok(!(last instanceof Promise), 'it fits')
  await settle(requireHeld(last), { costNanoUsd: 1_000_000 })
  assert.ok(gate.reserve(request) instanceof Promise, 'what others hold is not to be had')
})

test('what others had is not forgotten when it is stored beside a write of this instance', async () => {
  const { fake, gate, request } = startGate(aBudget(10_000_000))
  fake.others = 6_000_000
  const record = { ...asEvent(request.caller.user?.id ?? '', 1_000_000, clock.nowMs()), flags: ['estimated'] as const }
  requireHeld(await gate.reserve(request)).hold?.settle(record)
  const written = Promise.withResolvers<void>()
  const write = gate.whileStoring([record], () => written.promise)
  fake.spent = 6_000_000 + record.costNanoUsd
  fake.others = 0
  monotonicMs += LEASE_TRUST_MS
  requireHeld(await gate.reserve(request)).hold?.settle(
    asEvent(request.caller.user?.id ?? '', 3_000_000, clock.nowMs()),
  )
  assert.deepEqual(fake.asks.at(-1)?.wantedNanoUsd, [WORST])
  assert.ok(gate.reserve(request) instanceof Promise, 'the sums of the second answer were not taken')
  written.resolve()
  await write
})

test('of two budgets the one that stands worse is told', async () => {
  const team = aBudget(1_000_000, 'team')
  const { fake, gate, request } = startGate(aBudget(1_000_000), team)
  const worst = async (ofCaller: number, ofTeam: number): Promise<unknown> => {
    fake.answer = (ask) => {
      fake.spent = ask.account.scope === 'team' ? ofTeam : ofCaller
      return fake.granted(ask, 1)
    }
    monotonicMs += LEASE_TRUST_MS
    const { view, hold } = requireHeld(await gate.reserve(request))
    hold?.release()
    return [view?.terms.scope, view?.status, view?.percent]
  }
  assert.deepEqual(await worst(100_000, 200_000), ['team', 'ok', 20])
  assert.deepEqual(await worst(300_000, 200_000), ['user', 'ok', 30])
  assert.deepEqual(await worst(800_000, 790_000), ['user', 'warning', 80])
  assert.deepEqual(await worst(800_000, 900_000), ['team', 'warning', 90])
})

test('of two budgets that slow down the slower pace holds, whichever is further over', async () => {
  const shaped = (rpm: number) => ({ rules: [{ atPercent: 50, action: 'shape', rpm }] }) as const
  for (const [ofCaller, ofTeam] of [
    [4, 9],
    [9, 4],
  ] as const) {
    const team = { ...aBudget(1_000_000, 'team'), ...shaped(ofTeam) }
    const { fake, gate, request } = startGate({ ...aBudget(2_000_000), ...shaped(ofCaller) }, team)
    fake.spent = 1_500_000
    assert.equal(requireHeld(await gate.reserve(request)).view?.rpm, 4)
  }
})

test('a record that is stored twice, as after a failure, counts once', async () => {
  const { gate, request, land } = startGate(aBudget(FAR))
  const { hold } = requireHeld(await gate.reserve(request))
  const record = asEvent(request.caller.user?.id ?? '', 700, clock.nowMs())
  hold?.settle(record)
  await land(record)
  await land(record)
  assert.equal(requireHeld(await gate.reserve(request)).view?.spentNanoUsd, 700)
})

test('a call that is settled and released gives back what it reserved once', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(3 * WORST))
  const [first, second] = [requireHeld(await gate.reserve(request)), requireHeld(await gate.reserve(request))]
  const record = asEvent(request.caller.user?.id ?? '', 5, clock.nowMs())
  first.hold?.settle(record)
  first.hold?.release()
  first.hold?.settle(record)
  monotonicMs += LEASE_TRUST_MS
  requireHeld(await gate.reserve(request))
  assert.equal(
    fake.asks.at(-1)?.keepNanoUsd,
    WORST + 5,
    'the second call and what the first has cost, which is not stored',
  )
  await settle(second)
})

test('a call that the budget of the team refuses leaves nothing reserved in that of its caller, asked or not', async () => {
  const team = aBudget(100, 'team')
  const { fake, gate, request, settle } = startGate(aBudget(FAR), team)
  await settle(requireHeld(await gate.reserve(request)))
  const used = { spentNanoUsd: 100, othersNanoUsd: 0, leasedNanoUsd: 0, admitted: 0 }
  fake.answer = (ask) => (ask.account.scope === 'team' ? used : fake.granted(ask, ask.wantedNanoUsd.length))
  for (const isAsked of [true, true, false, false]) {
    if (isAsked) monotonicMs += LEASE_TRUST_MS
    const reservation = gate.reserve(request)
    assert.equal(reservation instanceof Promise, isAsked)
    assert.equal((await reservation).kind, 'blocked')
  }
  monotonicMs += LEASE_TRUST_MS
  await gate.reserve(request)
  const ofCaller = fake.asks.filter(({ account }) => account.scope === 'user')
  assert.deepEqual(
    ofCaller.slice(1).map(({ keepNanoUsd }) => keepNanoUsd),
    [0, 0, 0],
  )
})

test('what was only estimated teaches nothing about the next call', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(3 * WORST))
  for (const flags of [['estimated'], [], []] as const) {
    monotonicMs += LEASE_TRUST_MS
    await settle(requireHeld(await gate.reserve(request)), { flags })
  }
  assert.deepEqual(
    fake.asks.map(({ wantedNanoUsd }) => wantedNanoUsd),
    [[WORST], [WORST], [USUAL]],
  )
})

test('a reading beside a write is left out, whether it began before the write, ended after it, or both', async () => {
  for (const order of ['read around write', 'write around read', 'write begins first', 'read begins first']) {
    const { fake, gate, request } = startGate(aBudget(FAR))
    const spentNow = async (): Promise<number | undefined> => {
      const reservation = requireHeld(await gate.reserve(request))
      reservation.hold?.release()
      return reservation.view?.spentNanoUsd
    }
    const reservation = requireHeld(await gate.reserve(request))
    const record = asEvent(request.caller.user?.id ?? '', 700, clock.nowMs())
    reservation.hold?.settle(record)
    assert.equal(await spentNow(), 700)
    const [read, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    fake.whenRead = () => read.promise
    const write = () =>
      gate.whileStoring([record], () => {
        fake.spent += record.costNanoUsd
        return written.promise
      })
    const running =
      order === 'read around write' || order === 'read begins first' ? [gate.sync(), write()] : [write(), gate.sync()]
    const readEndsFirst = order === 'write around read' || order === 'read begins first'
    ;(readEndsFirst ? read : written).resolve()
    await running[order.startsWith('read') === readEndsFirst ? 0 : 1]
    assert.equal(await spentNow(), 700, `${order}: in the middle`)
    ;(readEndsFirst ? written : read).resolve()
    await Promise.all(running)
    assert.equal(await spentNow(), 700, `${order}: at the end`)
    fake.whenRead = () => Promise.resolve()
    await gate.sync()
    assert.equal(await spentNow(), 700, `${order}: with the next exchange`)
  }
})

test('an idle instance gives its lease back, and a busy one keeps what runs and some room', async () => {
  const { fake, gate, request, settle } = startGate(aBudget(FAR))
  await settle(requireHeld(await gate.reserve(request)))
  const running = requireHeld(await gate.reserve(request))
  await gate.sync()
  const busy = fake.kept.at(-1)?.leasedNanoUsd ?? 0
  assert.ok(busy > USUAL && busy <= fake.leased, String(busy))
  monotonicMs += 10_000
  await gate.sync()
  assert.equal(fake.kept.at(-1)?.leasedNanoUsd, USUAL, 'of a call that still runs nothing is given back')
  await settle(running)
  // With the first of the two what was stored is read, with the second nothing is kept any more.
  await gate.sync()
  await gate.sync()
  assert.equal(fake.kept.at(-1)?.leasedNanoUsd, 0)
  const told = fake.kept.length
  await gate.sync()
  assert.equal(fake.kept.length, told, 'what is given back is not told again and again')
})
