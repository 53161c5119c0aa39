/** The demo: the whole gateway on one machine, with simulated models, a private Postgres and a company to look at. */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../src/foundation/database/embedded/embedded-postgres.ts'
import { defined } from '../../src/foundation/platform/defined.ts'
import modelSeed from '../../src/modules/models/model-seed.json' with { type: 'json' }
import { PortMissedError } from './demo-error.ts'
import { openDemoFolder, refuseRunning, removeDemoFolder } from './demo-folder.ts'
import { findPort } from './free-ports.ts'
import { startGatewayProgram, untilReady } from './gateway-program.ts'
import { completeLibraryLinks } from './library-links.ts'
import { prepareDatabase } from './prepare-database.ts'
import { type Program, projectRoot, untilOneEnds } from './program.ts'
import { createProgress, describeFailure, type Progress, standardOutput } from './progress.ts'
import { rerunAsAccount } from './rerun-as-account.ts'
import { createRunningParts, type RunningParts } from './running-parts.ts'
import { ssoAdmin } from './sample/organization.ts'
import { addSsoUser, reservePorts, startSimulatorProgram } from './simulator-program.ts'
import { listenForStop, StoppedError } from './stop-signals.ts'
import { commandFor, shown, welcomeText } from './welcome.ts'

const DEFAULT_PORT = 8080
const EXIT_USAGE = 2

export interface DemoEntry {
  /** What a person types to start it, such as `npm run demo --`. */
  readonly command: string
  readonly folder: string
  /** Where the gateway listens, else on loopback: in a container nobody outside reaches that. */
  readonly host?: string
}

const helpText = ({ command, folder }: DemoEntry): string => `${command} [options]

Starts Causeway with simulated models, a private Postgres and 90 days of sample data.
Nothing leaves this machine, and nothing outside of ${shown(folder)} is written.

  --port N         the gateway's port (default ${DEFAULT_PORT}; when it is taken, the next free one)
  --fresh          delete the demo's folder first and start over
  --data-dir PATH  keep the data somewhere else
  --verbose        show the logs of the gateway, the simulator and Postgres
  --help           show this
`

interface Options {
  readonly port: number
  readonly fresh: boolean
  readonly verbose: boolean
  readonly folder: string
  readonly command: string
  readonly host: string | undefined
}

function readOptions(args: readonly string[], entry: DemoEntry): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      fresh: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      'data-dir': { type: 'string', default: entry.folder },
    },
  })
  if (values.help) return 'help'
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0
  if (port < 1 || port > 65_535) throw new TypeError(`--port wants a number from 1 to 65535, not "${values.port}".`)
  return {
    port,
    fresh: values.fresh,
    verbose: values.verbose,
    folder: resolve(values['data-dir']),
    command: commandFor(entry, resolve(values['data-dir'])),
    host: entry.host,
  }
}

interface Start {
  readonly options: Options
  readonly progress: Progress
  readonly parts: RunningParts
  readonly signal: AbortSignal
}

/** Returns the programs that must not end before somebody asks for it. */
async function start({ options, progress, parts, signal }: Start): Promise<readonly Program[]> {
  const { folder } = options
  const shownFolder = shown(folder)
  const tell = (source: string) =>
    options.verbose ? (line: string) => progress.say(progress.paint.dim(`${source} │ ${line}`)) : () => undefined
  const step = <R>(name: string, work: (show: (note: string) => void) => Promise<R>): Promise<R> => {
    signal.throwIfAborted()
    return progress.step(name, work)
  }
  if (options.fresh && (await removeDemoFolder(folder))) progress.say(`Deleted ${shownFolder}.`)
  await refuseRunning(folder)
  const opened = await openDemoFolder(folder)
  if (!opened.isNew && opened.state.filledUntilMs !== null) progress.say(`Going on with the data in ${shownFolder}.`)

  const postgres = await step('Starting Postgres', async (show) => {
    show(opened.isNew ? `a new one in ${shownFolder}/postgres` : `${shownFolder}/postgres`)
    await completeLibraryLinks()
    const server = await startEmbeddedPostgres({
      directory: join(folder, 'postgres'),
      onLog: tell('postgres'),
      // Nobody waits for the disk of a busy machine: a power cut may take the last second of invented data, no more.
      settings: { synchronous_commit: 'off' },
    })
    parts.add(server.stop)
    return server
  })
  const { state, simulator } = await withFreePorts(() =>
    startSimulator({ options, step, tell, parts, signal, databaseUrl: postgres.url }),
  )
  const { url, gateway } = await withFreePorts(async () => {
    const port = await findPort(options.port)
    if (port !== options.port) progress.say(`Port ${options.port} is taken, so the gateway uses ${port}.`)
    const program = await step('Starting the gateway', async () => {
      const started = startGatewayProgram({
        port,
        ...defined({ host: options.host }),
        folder,
        databaseUrl: postgres.url,
        adminPassword: state.adminPassword,
        simulator,
        logFile: join(folder, 'gateway.log'),
        onLine: tell('gateway'),
      })
      parts.add(started.stop)
      await untilReady(started, `http://127.0.0.1:${port}`, signal)
      return started
    })
    return { url: `http://127.0.0.1:${port}`, gateway: program }
  })
  signal.throwIfAborted()
  progress.say(welcomeText({ url, ...state, folder: shownFolder, command: options.command }, progress.paint))
  return [gateway, simulator.program]
}

/** What is ours between choosing a port and listening on it may be taken by another demo that starts just now. */
async function withFreePorts<R>(start: () => Promise<R>): Promise<R> {
  for (let triesLeft = 4; ; triesLeft--) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof PortMissedError) || triesLeft === 0) throw error
    }
  }
}

interface SimulatorStart extends Omit<Start, 'progress'> {
  readonly step: Progress['step']
  readonly tell: (source: string) => (line: string) => void
  readonly databaseUrl: string
}

/** The data names the address of the simulated sign-in, so it is brought up to date for the ports that are free now. */
async function startSimulator({ options, step, tell, parts, signal, databaseUrl }: SimulatorStart) {
  const { folder } = options
  // Read again: an earlier try may have written the data already, for other ports.
  const known = (await openDemoFolder(folder)).state
  const { ports, held } = await reservePorts(known.simulatorPorts, options.port)
  try {
    const name = known.filledUntilMs === null ? 'Writing sample data' : 'Bringing sample data up to now'
    const state = await step(name, (show) =>
      prepareDatabase({ folder, databaseUrl, state: known, seed: modelSeed, ports, show, signal }),
    )
    await held.release()
    const simulator = await step('Starting the simulated models and sign-in', async () => {
      const logFile = join(folder, 'simulator.log')
      const running = await startSimulatorProgram({ ports, pace: 'natural', logFile, onLine: tell('simulator') })
      parts.add(running.program.stop)
      await addSsoUser(running, ssoAdmin)
      return running
    })
    return { state, simulator }
  } finally {
    await held.release()
  }
}

async function run(options: Options): Promise<number> {
  const progress = createProgress(standardOutput(process.env))
  const parts = createRunningParts()
  const stop = listenForStop(
    () => progress.say('\nStopping …'),
    () => process.exit(1),
  )
  let code = 0
  try {
    const programs = await start({ options, progress, parts, signal: stop.signal })
    await Promise.race([stop.requested, untilOneEnds(programs)])
  } catch (error) {
    // What fails while somebody stops the demo is a consequence of that.
    if (!(error instanceof StoppedError) && !stop.signal.aborted) {
      code = 1
      progress.say(describeFailure(error, progress.paint))
    }
  }
  for (const failure of await parts.stopAll()) {
    code = 1
    progress.say(describeFailure(failure, progress.paint))
  }
  if (code === 0) progress.say('Stopped.')
  return code
}

/** Returns the exit code. */
export async function runDemo(args: readonly string[], entry: DemoEntry): Promise<number> {
  // A terminal that is closed must not turn every further line into an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  let options: Options | 'help'
  try {
    options = readOptions(args, entry)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nSee "${entry.command} --help".\n`)
    return EXIT_USAGE
  }
  if (options === 'help') {
    process.stdout.write(helpText(entry))
    return 0
  }
  await rerunAsAccount(options.folder, projectRoot)
  return run(options)
}
