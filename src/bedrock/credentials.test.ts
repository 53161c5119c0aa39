import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { defined } from '../foundation/platform/defined.ts'
import type { LoadedCredentials } from './credential-slot.ts'
import { type CredentialOwner, createCredentialSource, type RoleToAssume } from './credentials.ts'
import { ProviderError } from './failures.ts'

const hourMs = 3_600_000

function endpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    id: 'e',
    name: 'e',
    region: 'us-east-1',
    routingPrefix: 'us',
    priority: 0,
    enabled: true,
    isDefault: false,
    roleArn: null,
    externalId: null,
    inferenceProfileArn: null,
    aipOverrides: [],
    createdAt: '2026-01-01T00:00:00Z',
    ...changes,
  }
}

/** A source whose clock and token service the test drives. */
function fakeSource() {
  let nowMs = Date.UTC(2026, 0, 1)
  let count = 0
  const questions: (RoleToAssume | string)[] = []
  const state = { lifetimeMs: hourMs, refuses: false, gate: Promise.resolve() }
  async function answer(question: RoleToAssume | string): Promise<LoadedCredentials> {
    questions.push(question)
    await state.gate
    if (state.refuses) throw Object.assign(new Error('not authorized to assume'), { name: 'AccessDenied' })
    count += 1
    const expiration = new Date(nowMs + state.lifetimeMs)
    const owner = typeof question === 'string' ? question : `${question.roleArn}/${question.externalId}`
    return { accessKeyId: `${owner}#${count}`, secretAccessKey: 's', expiration }
  }
  const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
  const failures: (ProviderFailure & CredentialOwner)[] = []
  const source = createCredentialSource({
    clock,
    loaders: {
      own: (region) => () => answer(`own ${region}`),
      assumed: (role, own) => async () => {
        await own()
        return answer(role)
      },
    },
    onRefreshFailed: (failure, owner) => failures.push({ ...failure, ...owner }),
  })
  return {
    source,
    failures,
    questions,
    state,
    pass(ms: number) {
      nowMs += ms
    },
  }
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('once fetched, credentials are not asked for again', async () => {
  const { source, questions } = fakeSource()
  const own = endpoint()
  const fetched = await source.require(own)
  assert.equal(await source.require(own), fetched)
  assert.equal(questions.length, 1)
})

test('concurrent questions are merged into one', async () => {
  const { source, questions } = fakeSource()
  const own = endpoint()
  const all = await Promise.all(Array.from({ length: 50 }, () => source.require(own)))
  assert.equal(new Set(all).size, 1)
  assert.equal(questions.length, 1)
})

test('five minutes before their end they are refreshed in the background while calls go on with the old ones', async () => {
  const { source, questions, pass } = fakeSource()
  const own = endpoint()
  const first = await source.require(own)
  pass(hourMs - 301_000)
  assert.equal(await source.require(own), first)
  assert.equal(questions.length, 1)
  pass(2_000)
  const [second, third] = await Promise.all([source.require(own), source.require(own)])
  assert.deepEqual([second, third], [first, first])
  assert.equal(questions.length, 2)
  await settle()
  assert.notEqual(await source.require(own), first)
})

test('a failed refresh in the background leaves the old ones in use until their end, then calls fail', async () => {
  const { source, state, pass, failures } = fakeSource()
  const own = endpoint()
  const first = await source.require(own)
  state.refuses = true
  pass(hourMs - 200_000)
  assert.equal(await source.require(own), first)
  await settle()
  assert.equal(await source.require(own), first)
  assert.deepEqual(
    failures.map(({ kind, name }) => [kind, name]),
    [['credentials', 'AccessDenied']],
  )
  pass(200_000)
  await assert.rejects(source.require(own), ProviderError)
})

test('failed refreshes are told once a minute for each account, and a first question that fails is none', async () => {
  const { source, state, pass, failures } = fakeSource()
  const roleArn = 'arn:aws:iam::1:role/r'
  const pair = [endpoint(), endpoint({ roleArn })]
  state.refuses = true
  for (const each of pair) await assert.rejects(source.require(each))
  assert.equal(failures.length, 0)
  state.refuses = false
  pass(1_001)
  for (const each of pair) await source.require(each)
  state.refuses = true
  pass(hourMs - 200_000)
  for (let second = 0; second < 90; second += 1) {
    pass(1_001)
    for (const each of pair) assert.ok(await source.require(each))
    await settle()
  }
  assert.deepEqual(
    failures.map((failure) => failure.roleArn),
    [null, roleArn, null, roleArn],
  )
})

test('what a failed refresh says quotes neither an unreadable answer nor a command line', async () => {
  const said: string[] = []
  const errors = [
    new SyntaxError('"wJalrXUtnF" is not valid JSON'),
    new Error('Command failed: give --password hunter2'),
  ]
  for (const error of errors) {
    const load = () => Promise.reject(error)
    const source = createCredentialSource({
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      loaders: { own: () => load, assumed: () => load },
    })
    await assert.rejects(source.require(endpoint()), (failed: unknown) => {
      said.push(failed instanceof ProviderError ? failed.failure.message : String(failed))
      return true
    })
  }
  assert.deepEqual(said, [
    'the answer with the credentials is not JSON',
    'the process that gives the credentials failed',
  ])
})

test('a refusal of the token service is a credentials failure and never falls back to the own role', async () => {
  const { source, state } = fakeSource()
  const own = endpoint()
  await source.require(own)
  state.refuses = true
  const assumed = endpoint({ roleArn: 'arn:aws:iam::1:role/r' })
  await assert.rejects(source.require(assumed), (error: unknown) => {
    assert.ok(error instanceof ProviderError)
    assert.deepEqual(
      [error.failure.kind, error.failure.status, error.failure.name, error.failure.message],
      ['credentials', 502, 'AccessDenied', 'not authorized to assume'],
    )
    return true
  })
})

test('after a refusal the token service is not asked again for a moment, and then it is', async () => {
  const { source, state, questions, pass } = fakeSource()
  const own = endpoint()
  state.refuses = true
  await assert.rejects(source.require(own))
  await assert.rejects(source.require(own))
  assert.equal(questions.length, 1)
  pass(1_001)
  state.refuses = false
  assert.match((await source.require(own)).accessKeyId, /^own/)
})

test('role, external id and region each have credentials of their own', async () => {
  const { source } = fakeSource()
  const roleArn = 'arn:aws:iam::1:role/r'
  const endpoints = [
    endpoint(),
    endpoint({ region: 'eu-west-1' }),
    endpoint({ roleArn }),
    endpoint({ roleArn, externalId: 'a' }),
    endpoint({ roleArn, externalId: 'b' }),
    endpoint({ roleArn: `${roleArn}a`, externalId: '' }),
    endpoint({ roleArn, externalId: 'a', region: 'eu-west-1' }),
  ]
  const fetched = await Promise.all(endpoints.map((each) => source.require(each)))
  assert.equal(new Set(fetched).size, endpoints.length)
  for (const [index, each] of endpoints.entries()) assert.equal(await source.require(each), fetched[index])
  assert.match(fetched[4]?.accessKeyId ?? '', /^arn:aws:iam::1:role\/r\/b#/)
})

test('an endpoint with another external id never sees the credentials of its former self', async () => {
  const { source } = fakeSource()
  const before = endpoint({ roleArn: 'arn:aws:iam::1:role/r', externalId: 'old' })
  const old = await source.require(before)
  const after = { ...before, externalId: 'new' }
  assert.notEqual(await source.require(after), old)
})

test('two endpoints of one role share one question', async () => {
  const { source, questions } = fakeSource()
  const roleArn = 'arn:aws:iam::1:role/r'
  const pair = [endpoint({ id: 'a', roleArn }), endpoint({ id: 'b', roleArn })]
  const [first, second] = await Promise.all(pair.map((each) => source.require(each)))
  assert.equal(first, second)
  assert.equal(questions.length, 2, 'the own credentials and the role')
})

test('credentials that the hosted service calls expired are fetched again, fresh ones are kept', async () => {
  const { source, pass } = fakeSource()
  const own = endpoint()
  const first = await source.require(own)
  source.forget(own)
  assert.equal(await source.require(own), first)
  pass(11_000)
  source.forget(own)
  assert.notEqual(await source.require(own), first)
})

test('credentials without a session token never end; those not yet needed are of no known kind', async () => {
  const load = (sessionToken?: string) => async () => ({
    accessKeyId: 'a',
    secretAccessKey: 's',
    ...defined({ sessionToken }),
  })
  const toKind = async (sessionToken?: string) => {
    const source = createCredentialSource({
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      loaders: { own: () => load(sessionToken), assumed: (_role, own) => async () => ({ ...(await own()) }) },
    })
    assert.equal(source.findOwnKind('us-east-1'), undefined)
    // A role is assumed with the gateway's own.
    await source.require(endpoint({ roleArn: 'arn:aws:iam::111122223333:role/models' }))
    assert.equal(source.findOwnKind('eu-west-1'), undefined)
    return source.findOwnKind('us-east-1')
  }
  assert.deepEqual([await toKind(), await toKind('session')], ['long-lived', 'temporary'])
})
