import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameReservedName } from './user-name.ts'

test('a reserved name is recognised in other letter cases, widths and with invisible characters', () => {
  for (const name of ['admin', 'ADMIN', ' Admin ', '\uff41dmin', 'ad\u200bmin', 'ad min']) {
    assert.equal(isSameReservedName(name, 'admin'), true, name)
  }
  assert.equal(isSameReservedName('administrator', 'admin'), false)
  assert.equal(isSameReservedName('', ''), false)
})
