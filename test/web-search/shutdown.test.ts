import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { parseEvents, post, requestIdOf, until } from '../message-path/path-client.ts'
import { createTestDatabase } from '../support/database.ts'
import { answers, asksFor, question, search, startSearchWorld, text } from './search-world.ts'

test('a gateway that goes down during a search ends the stream with an error, and what was used is recorded', async () => {
  const database = await createTestDatabase()
  const world = await startSearchWorld({ database })
  try {
    await world.gateway.control.scriptSearch({ delayMs: 3_600_000 })
    await world.say(asksFor(text('Looking.'), search('01', 'tides')), answers(text('Never said.')))
    const response = await post(world.gateway, world.key, question({ stream: true }))
    const reading = response.text()
    await until(async () => (await world.gateway.control.searches())[0])
    await world.gateway.stop()
    const events = parseEvents(await reading)
    assert.equal(events.at(-1)?.event, 'error')
    assert.match(events.at(-1)?.data ?? '', /restarted/)
    const records = await createSpendLog(database.database.kysely).find(requestIdOf(response))
    assert.deepEqual(
      records.map(({ round, usage }) => [round, usage.inputTokens]),
      [[0, 100]],
    )
  } finally {
    await database.drop()
  }
})
