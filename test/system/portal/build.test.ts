import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPortal } from '../../../tools/portal/build.ts'

test('a portal that is built already is not built again', async () => {
  await buildPortal()
  assert.deepEqual(await buildPortal(), { kind: 'current' })
})
