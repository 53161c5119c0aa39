/** The description of the API, made from a gateway that is built and never run. */
import { readFileSync } from 'node:fs'
import { assemble } from '../../src/app/assemble.ts'
import { readConfig } from '../../src/app/config/config.ts'
import { openApiDocument } from '../../src/foundation/http/openapi.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'

export async function apiDescription(): Promise<string> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const read = readConfig({})
  if (read.kind === 'invalid') throw new Error(read.mistakes.join('; '))
  const { log, recent } = createLogging({ level: 'fatal', format: 'json', write: () => {} })
  const { routes, core } = await assemble(read.config, { log, recentLog: recent, version })
  await core.telemetry.shutdown()
  return `${JSON.stringify(openApiDocument(routes, version), null, 2)}\n`
}
