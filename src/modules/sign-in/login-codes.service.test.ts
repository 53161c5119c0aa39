import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError } from '../../foundation/database/store-errors.ts'
import { findUserCode, hashSecretCode, makeSecretCode, showUserCode, withFreshUserCode } from './login-codes.service.ts'

test('a user code is found however it was typed, and nothing else is', () => {
  for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'BC-DF-GH-JK'])
    assert.equal(findUserCode(typed), 'BCDFGHJK')
  for (const typed of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'AEIO-UUUU', 'BCDF-GHJ1', 'ＢCDFGHJK', '%', 'B'.repeat(1000)])
    assert.equal(findUserCode(typed), undefined, typed)
  assert.equal(showUserCode('BCDFGHJK'), 'BCDF-GHJK')
})

test('secrets have 256 bits and never repeat', () => {
  const codes = new Set(Array.from({ length: 1000 }, () => makeSecretCode().code))
  assert.equal(codes.size, 1000)
  for (const code of codes) assert.equal(Buffer.from(code, 'base64url').length, 32)
  const { code, hash } = makeSecretCode()
  assert.deepEqual(hashSecretCode(code), hash)
})

test('a code that is in use is replaced by another, and other failures are passed on', async () => {
  const tried: string[] = []
  const code = await withFreshUserCode(async (candidate) => {
    tried.push(candidate)
    if (tried.length < 3) throw new ConflictError('login_requests_user_code_unique')
  })
  assert.equal(code, tried[2])
  await assert.rejects(
    withFreshUserCode(async () => {
      throw new Error('away')
    }),
    /away/,
  )
})
