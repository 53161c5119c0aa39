/** `npm run demo`: the whole gateway on one machine, with simulated models, a private Postgres and a company to look at. */
import { join } from 'node:path'
import { projectRoot } from './demo/program.ts'
import { runDemo } from './demo/run-demo.ts'

process.exit(
  await runDemo(process.argv.slice(2), { command: 'npm run demo --', folder: join(projectRoot, 'data', 'demo') }),
)
