import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../foundation/domain/errors.ts'
import { createLoginThrottle } from './login-throttle.memory.ts'
import { createPasswordLogin, type PasswordLoginPorts } from './password-login.ts'
import { createTestClock } from './people.fixture.ts'

function setUp(changes: Partial<PasswordLoginPorts> = {}) {
  const slept: number[] = []
  const login = createPasswordLogin({
    username: 'admin',
    password: 'correct horse',
    isEnabled: () => true,
    forcedOn: false,
    throttle: createLoginThrottle(createTestClock()),
    sleep: async (ms) => {
      slept.push(ms)
    },
    ...changes,
  })
  const attempt = async (username: string, password: string, sourceAddress = '203.0.113.9'): Promise<string> => {
    try {
      await login.requirePassword({ username, password, sourceAddress })
      return 'in'
    } catch (error) {
      assert.ok(error instanceof Problem)
      return error.code
    }
  }
  return { login, attempt, slept }
}

test('only the exact name with the exact password gets in', async () => {
  const { attempt } = setUp()
  assert.equal(await attempt('admin', 'correct horse'), 'in')
  const wrong: readonly (readonly [string, string])[] = [
    ['admin', 'correct hors'],
    ['admin', 'correct horse '],
    ['Admin', 'correct horse'],
    ['admin', ''],
    ['', ''],
    ['root', 'correct horse'],
    ['admin\0', 'correct horse'],
  ]
  for (const [name, password] of wrong) assert.equal(await attempt(name, password), 'wrong_password')
})

test('an unset password lets nobody in, not even with an empty one', async () => {
  const { attempt } = setUp({ password: '' })
  assert.equal(await attempt('admin', ''), 'wrong_password')
})

test('the setting switches the form off, and ADMIN_PASSWORD_ENABLE switches it on again', async () => {
  const off = setUp({ isEnabled: () => false })
  assert.equal(off.login.isOffered(), false)
  assert.equal(await off.attempt('admin', 'correct horse'), 'admin_login_disabled')
  const forced = setUp({ isEnabled: () => false, forcedOn: true })
  assert.equal(forced.login.isOffered(), true)
  assert.equal(await forced.attempt('admin', 'correct horse'), 'in')
})

test('1,000 parallel guesses from one address test ten passwords; the right one works from elsewhere at once', async () => {
  const { attempt, slept } = setUp()
  const outcomes = await Promise.all(Array.from({ length: 1_000 }, (_, at) => attempt('admin', `guess ${at}`)))
  assert.equal(outcomes.filter((outcome) => outcome === 'wrong_password').length, 10)
  assert.equal(outcomes.filter((outcome) => outcome === 'login_throttled').length, 990)
  assert.equal(await attempt('admin', 'correct horse'), 'login_throttled')
  const sleptBefore = slept.length
  assert.equal(await attempt('admin', 'correct horse', '198.51.100.7'), 'in')
  assert.equal(slept.length, sleptBefore)
})

test('a throttled answer says when to come back', async () => {
  const { login, attempt } = setUp()
  for (let at = 0; at < 10; at += 1) await attempt('admin', 'wrong')
  const refused = login.requirePassword({ username: 'admin', password: 'x', sourceAddress: '203.0.113.9' })
  await assert.rejects(refused, (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.equal(error.status, 429)
    assert.equal(error.headers['retry-after'], '300')
    return true
  })
})

test('a known and an unknown name are answered alike, delays included', async () => {
  const { attempt, slept } = setUp()
  const seen: Record<string, string[]> = { admin: [], nobody: [] }
  const delays: Record<string, number[]> = { admin: [], nobody: [] }
  for (let at = 0; at < 20; at += 1) {
    for (const name of ['admin', 'nobody']) {
      slept.length = 0
      seen[name]?.push(await attempt(name, 'wrong', `198.51.100.${at}`))
      delays[name]?.push(slept[0] ?? 0)
    }
  }
  assert.deepEqual(seen['admin'], seen['nobody'])
  assert.deepEqual(delays['admin'], delays['nobody'])
})

test('held-back answers are limited, so that an attack cannot fill the memory with waiting', async () => {
  let waiting = 0
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { attempt } = setUp({
    sleep: () => {
      waiting += 1
      return gate
    },
  })
  const attempts = Array.from({ length: 1_000 }, (_, at) => attempt('admin', 'wrong', `10.0.${at >> 8}.${at & 255}`))
  assert.equal(waiting, 200)
  release()
  assert.ok((await Promise.all(attempts)).every((outcome) => outcome === 'wrong_password'))
})
