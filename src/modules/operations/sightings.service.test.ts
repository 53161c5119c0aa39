import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import { createLogging } from '../../foundation/platform/logger.ts'
import { createSightings } from './sightings.service.ts'

test('a call with a session and a list of models ask nothing of the database; only the loop does', async () => {
  let asked = 0
  const count = () => {
    asked += 1
    return undefined
  }
  const link = { isConfigured: true, find: count, require: count } as unknown as DatabaseLink
  const { log } = createLogging({ level: 'info', format: 'json', write: () => undefined })
  const sightings = createSightings(link, log)
  const session = { userId: 'u', via: 'sso', epoch: 0, issuedAtMs: 0, expiresAtMs: 1 } as const
  const caller = { kind: 'session', sessionId: 's', user: { id: 'u' }, team: null } as unknown as Caller
  const keyCaller = { kind: 'key', key: { id: 'k' }, user: null, team: null } as unknown as Caller
  for (let call = 0; call < 1_000; call++) {
    sightings.sessionUsed({ ...session, id: `s${call % 7}` })
    sightings.modelsListed(caller)
    sightings.callMade(keyCaller, `192.0.2.${call % 7}`)
  }
  assert.equal(asked, 0)
  await sightings.flush()
  assert.equal(asked, 1)
})
