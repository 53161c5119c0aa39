/** The life of one gateway process: built, opened, prepared, serving, stopped. */
import { DatabaseSetupError } from '../foundation/database/store-errors.ts'
import { createServer, type HttpApplication } from '../foundation/http/server.ts'
import { createSourceAddress } from '../foundation/http/source-address.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { RunningLoops } from '../foundation/platform/loops.ts'
import { requireAccess } from '../modules/sign-in/roles.ts'
import { assemble, type Gateway } from './assemble.ts'
import type { Config } from './config/config.ts'
import type { AppParts } from './core.ts'
import { createEnding, type OpenPorts, openPorts } from './listening.ts'
import { prepare, takeRequests } from './start.ts'
import { stop } from './stop.ts'

export interface App {
  readonly port: number
  readonly tlsPort: number | null
  /** Drains, then resolves. */
  readonly stop: () => Promise<void>
  readonly hurry: () => void
}

export async function startApp(config: Config, parts: AppParts): Promise<App> {
  const gateway = await assemble(config, parts)
  const { core, modules } = gateway
  const server = await serve(gateway)
  const openedFirst = parts.othersGone === undefined ? await open(gateway, server) : undefined
  const starting = new AbortController()
  const fail = failStart(core.log)
  const prepared = prepare(gateway, starting.signal).catch(fail)
  // A request that came before would be refused, although others could have answered it.
  if (openedFirst === undefined) await Promise.race([prepared, parts.othersGone])
  const listeners = openedFirst ?? (await open(gateway, server))
  core.telemetry.show({
    snapshot: core.snapshot,
    loops: () => core.running.loops(),
    findDatabase: core.link.find,
    priceListAgeMs: modules.models.pricing.listAgeMs,
    certificateExpiresAtMs: listeners.certificateExpiresAtMs,
  })
  let loops: RunningLoops | undefined
  const onLoops = (running: RunningLoops): void => {
    loops = running
  }
  prepared.then(() => takeRequests(gateway, starting.signal, onLoops)).catch(fail)
  const ending = createEnding(listeners, core.drain, config.drainTimeoutSeconds, core.log)
  return {
    port: listeners.port,
    tlsPort: listeners.tlsPort,
    hurry: ending.hurry,
    stop: async () => {
      starting.abort()
      await stop(gateway, ending, loops)
    },
  }
}

function serve({ core, modules, routes }: Gateway): Promise<HttpApplication> {
  const { door } = core.telemetry.admission
  return createServer({
    routes,
    log: core.log,
    authenticate: door(modules.signIn.authenticate),
    requireAccess: door(requireAccess),
    sourceAddress: createSourceAddress(core.config.trustedProxies),
  })
}

async function open({ core }: Gateway, server: HttpApplication): Promise<OpenPorts> {
  const { config, log, version, running } = core
  const ports = await openPorts(config, server.routing, log)
  running.ports = ports
  log.info({ host: config.proxyHost, port: ports.port, tls_port: ports.tlsPort, version }, 'listening')
  return ports
}

function failStart(log: Logger): (error: unknown) => never {
  return (error) => {
    // A mistake in the set-up is no mistake in the program: where it was thrown helps no operator.
    if (error instanceof DatabaseSetupError) log.fatal(error.message)
    else log.fatal({ err: error }, error instanceof Error ? error.message : 'the start failed')
    process.exit(1)
  }
}
