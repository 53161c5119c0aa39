/** `npm run dev`: the gateway under `node --watch` with a private Postgres and an instant simulator, logs on the terminal. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/foundation/database/embedded/embedded-postgres.ts'
import { findPort } from './demo/free-ports.ts'
import { startGatewayProgram } from './demo/gateway-program.ts'
import { completeLibraryLinks } from './demo/library-links.ts'
import { type Program, projectRoot, untilOneEnds } from './demo/program.ts'
import { createPaint, describeFailure, standardOutput } from './demo/progress.ts'
import { rerunAsAccount } from './demo/rerun-as-account.ts'
import { createRunningParts, type RunningParts } from './demo/running-parts.ts'
import { choosePorts, type SimulatorPorts, startSimulatorProgram } from './demo/simulator-program.ts'
import { listenForStop } from './demo/stop-signals.ts'

const DEFAULT_PORT = 8080
const EXIT_USAGE = 2
/** Where the simulator listens when it is started by itself. */
const usualPorts: SimulatorPorts = { aws: 4566, control: 4567, oidc: 4568, webhook: 4569, search: 4570 }

const help = `npm run dev -- [options]

Starts the gateway and restarts it when a source file changes. Data is kept in ./data/dev.

  --port N             the gateway's port (default ${DEFAULT_PORT}; when it is taken, the next free one)
  --debug              log level debug, which shows request and response bodies
  --admin-password P   the bootstrap administrator's password (default admin)
  --help               show this
`

const options = {
  port: { type: 'string', default: String(DEFAULT_PORT) },
  debug: { type: 'boolean', default: false },
  'admin-password': { type: 'string', default: 'admin' },
  'data-dir': { type: 'string', default: join(projectRoot, 'data', 'dev') },
  help: { type: 'boolean', short: 'h', default: false },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

const output = standardOutput(process.env)
const paint = createPaint(output.hasColor)
const say = (line: string): void => output.write(`${line}\n`)
const tell = (source: string) => (line: string) => say(`${paint.dim(`${source.padEnd(9)} │`)} ${line}`)

/** Its good news is of no interest to whoever works on the gateway. */
function tellTrouble(line: string): void {
  if (/ (WARNING|ERROR|FATAL|PANIC): /.test(line)) tell('postgres')(line)
}

/** Returns the programs that must not end before somebody asks for it. */
async function start(values: Values, parts: RunningParts, signal: AbortSignal): Promise<readonly Program[]> {
  const folder = values['data-dir']
  await mkdir(folder, { recursive: true })
  await completeLibraryLinks()
  const postgres = await startEmbeddedPostgres({ directory: join(folder, 'postgres'), onLog: tellTrouble })
  parts.add(postgres.stop)
  signal.throwIfAborted()
  const port = await findPort(Number(values.port))
  const ports = await choosePorts(usualPorts, port)
  const simulator = await startSimulatorProgram({ ports, pace: 'instant', onLine: tell('simulator') })
  parts.add(simulator.program.stop)
  signal.throwIfAborted()
  const gateway = startGatewayProgram({
    port,
    folder,
    databaseUrl: postgres.url,
    adminPassword: values['admin-password'],
    simulator,
    nodeFlags: ['--watch', '--watch-preserve-output'],
    ...(values.debug ? { logLevel: 'debug' } : {}),
    onLine: tell('gateway'),
  })
  parts.add(gateway.stop)
  say(`
${paint.bold(`http://127.0.0.1:${port}`)}  admin / ${values['admin-password']}
simulator control ${simulator.controlUrl}
database ${postgres.url}
`)
  return [simulator.program, gateway]
}

async function main(): Promise<number> {
  let values: Values
  try {
    values = parseArgs({ options }).values
    if (!/^[1-9]\d{0,4}$/.test(values.port)) throw new TypeError(`--port wants a number, not "${values.port}".`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`)
    return EXIT_USAGE
  }
  if (values.help) {
    say(help)
    return 0
  }
  await rerunAsAccount(values['data-dir'], projectRoot)
  const parts = createRunningParts()
  const stop = listenForStop(
    () => say('\nStopping …'),
    () => process.exit(1),
  )
  let code = 0
  try {
    const programs = await start(values, parts, stop.signal)
    await Promise.race([stop.requested, untilOneEnds(programs)])
  } catch (error) {
    if (!stop.signal.aborted) {
      code = 1
      say(describeFailure(error, paint))
    }
  }
  return (await parts.stopAll()).length > 0 ? 1 : code
}

process.exit(await main())
