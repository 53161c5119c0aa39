/** A gateway without a database that tells its parent its port, and its memory whenever it is asked. Needs --expose-gc. */
import { startApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/app/config/config.ts'
import { createLogging } from '../../../src/foundation/platform/logger.ts'

const result = readConfig(process.env)
if (result.kind === 'invalid') throw new Error(result.mistakes.join('\n'))
const { log, recent } = createLogging({ level: 'error', format: 'json' })
const app = await startApp(result.config, { log, recentLog: recent, version: 'test', answerLimits: { drainMs: 50 } })

process.on('message', () => {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ rss, heapUsed, external })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ port: app.port })
