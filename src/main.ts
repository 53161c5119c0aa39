/** The process: reads the configuration, starts the app or its workers, and ends it in order. */
import cluster from 'node:cluster'
import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { startApp } from './app/app.ts'
import { readConfig } from './app/config/config.ts'
import { createProcessEnd } from './app/process/process-end.ts'
import { createStopSignals } from './app/process/stop-signals.ts'
import { findOthersGone, heedPrimary, reportReady, superviseWorkers } from './app/process/workers.ts'
import { requirePostgresPackage } from './foundation/database/embedded/embedded-server.ts'
import { createLogging } from './foundation/platform/logger.ts'
import { projectFile } from './foundation/platform/project-file.ts'

const EXIT_BAD_CONFIG = 78

function versionOfPackage(): string {
  const text = readFileSync(projectFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function refuseConfiguration(mistakes: readonly string[]): void {
  process.stderr.write(`The configuration is not valid:\n${mistakes.map((line) => `  ${line}\n`).join('')}`)
  process.exitCode = EXIT_BAD_CONFIG
}

function onReady(): void {
  reportReady()
  // Not at the end, which a killed process does not reach: the next start finds everything compiled that this one used.
  flushCompileCache()
}

async function main(): Promise<void> {
  const result = readConfig(process.env)
  if (result.kind === 'invalid') return refuseConfiguration(result.mistakes)
  const { config, warnings } = result
  try {
    if (config.database.kind === 'embedded') requirePostgresPackage()
  } catch (error) {
    return refuseConfiguration([(error as Error).message])
  }
  const { log, flush, recent } = createLogging({ level: config.logLevel, format: config.logFormat })
  process.on('exit', flush)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends after an error nobody handled')
    process.exit(1)
  })
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise was rejected and nobody noticed'))

  const listenForStop = createStopSignals(process.env)
  if (config.workers > 1 && cluster.isPrimary) {
    superviseWorkers(config.workers, log, listenForStop)
    return
  }
  if (!cluster.isWorker || cluster.worker?.id === 1) for (const warning of warnings) log.warn(warning)
  const end = createProcessEnd(log, listenForStop)
  heedPrimary(end)
  const place = await findOthersGone()
  end.watch(await startApp(config, { log, recentLog: recent, version: versionOfPackage(), onReady, ...place }))
}

try {
  await main()
} catch (error) {
  process.stderr.write(`Causeway could not start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
