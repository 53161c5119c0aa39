/** Builds the whole gateway. Nothing runs and nothing listens yet. */
import { healthRoutes } from '../foundation/http/health.routes.ts'
import { metricsRoute } from '../foundation/http/metrics.route.ts'
import type { Module } from '../foundation/http/module.ts'
import { openApiDocument } from '../foundation/http/openapi.ts'
import { portalRoutes } from '../foundation/http/portal.routes.ts'
import type { Route } from '../foundation/http/route.ts'
import type { Loop } from '../foundation/platform/loops.ts'
import { createOverloadGate } from '../message-path/receive/overload-gate.ts'
import type { Config } from './config/config.ts'
import { type AppParts, createCore, type Foundation } from './core.ts'
import { createExtensions } from './extensions.ts'
import { createHostedService } from './hosted-service.ts'
import { createMessagePath, type MessagePath } from './message-path.ts'
import { createModules, type Modules } from './modules.ts'
import { scrapeOfAll } from './process/worker-scrape.ts'

export interface Gateway {
  readonly core: Foundation
  readonly modules: Modules
  readonly messagePath: MessagePath
  /** Modules in their order, then extensions. */
  readonly all: readonly Module[]
  readonly routes: readonly Route[]
  readonly loops: readonly Loop[]
}

/** spec: Limits. Changes reach every instance within 5 seconds; two are left for a busy machine and a slow database. */
const SNAPSHOT_POLL_MS = 3_000

export async function assemble(config: Config, parts: AppParts): Promise<Gateway> {
  const core = await createCore(config, parts)
  const hosted = createHostedService(config, core.log)
  const overload = createOverloadGate()
  const modules = createModules(core, hosted, overload.calls)
  const messagePath = createMessagePath(core, hosted, modules, overload)
  const all: readonly Module[] = [...Object.values(modules), ...createExtensions(core, modules, messagePath)]
  const poll: Loop = { name: 'snapshot-poll', intervalMs: SNAPSHOT_POLL_MS, retryMs: 1_000, run: core.holder.poll }
  return {
    core,
    modules,
    messagePath,
    all,
    routes: listRoutes(core, [...messagePath.routes, ...all.flatMap(({ routes }) => routes)]),
    loops: [poll, ...all.flatMap(({ loops }) => loops)],
  }
}

function listRoutes(core: Foundation, offered: readonly Route[]): readonly Route[] {
  const { version, drain, telemetry, config } = core
  let description: object | undefined
  const routes: readonly Route[] = [
    ...offered,
    ...portalRoutes(core.findPortalFiles),
    metricsRoute(scrapeOfAll(telemetry.scrape), config.metricsToken),
    ...healthRoutes({
      version,
      whyNotReady: () => {
        if (drain.isDraining()) return 'it is going down'
        return core.isLoaded() ? undefined : 'it is waiting for the database'
      },
      apiDescription: () => (description ??= openApiDocument(routes, version)),
    }),
  ]
  return routes
}
