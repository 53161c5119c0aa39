/** Starts an embedded Postgres in the directory given as an argument and holds it until it is told to stop. */
import { startEmbeddedPostgres } from '../../../src/foundation/database/embedded/embedded-postgres.ts'

const [directory = ''] = process.argv.slice(2)
const server = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } })
process.send?.({ url: server.url })
process.on('message', async () => {
  await server.stop()
  process.disconnect?.()
})
