/** Logs three thousand lines, waits a moment and ends; its last words are on standard error. */
import { spawnSync } from 'node:child_process'
import { createLogging } from '../../../src/foundation/platform/logger.ts'

const { log, flush } = createLogging({ level: 'info', format: 'json' })
process.on('exit', flush)
// It shares the output, as a worker does.
if (process.argv.includes('sharing')) spawnSync('true', { stdio: 'inherit' })
for (let line = 0; line < 3_000; line += 1) log.info({ line, text: 'y'.repeat(100) }, 'line')
setTimeout(() => {
  log.info('the last line')
  process.exit(7)
}, 500)
