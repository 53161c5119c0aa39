import { test } from 'node:test'
import { assertLabelsAreOurs } from '../../operations/hostile-calls.ts'
import { addKey, startGateway } from '../../support/gateway.ts'

test('ten thousand ids, tools, betas and headers that clients make up add no series', async () => {
  let key = ''
  const gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database, { rateLimitRpm: 1_000_000 })).key
    },
  })
  try {
    await assertLabelsAreOurs(gateway, key, 10_000)
  } finally {
    await gateway.stop()
  }
})
