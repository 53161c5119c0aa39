/** Puts the message path together from what the modules remember and decide. */
import type { ServiceCaller } from '../bedrock/service-caller.ts'
import type { Route } from '../foundation/http/route.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { type AnswerLimits, answerLimits } from '../message-path/answer/answer-limits.ts'
import { createClientDisconnects } from '../message-path/answer/client-disconnects.ts'
import { createPings } from '../message-path/answer/pings.ts'
import { createRunningAnswers } from '../message-path/answer/running-answers.ts'
import { createCountPath } from '../message-path/count-path.ts'
import { countTokensRoutes } from '../message-path/count-tokens.routes.ts'
import { messageRoutes } from '../message-path/messages.routes.ts'
import { modelRoutes } from '../message-path/models.routes.ts'
import { withOpenCalls } from '../message-path/open-calls.ts'
import type { PathPorts } from '../message-path/path-ports.ts'
import { createMessagePath as createPipeline } from '../message-path/pipeline.ts'
import { profileRoutes } from '../message-path/profiles.routes.ts'
import type { OverloadGate } from '../message-path/receive/overload-gate.ts'
import type { Foundation } from './core.ts'
import type { HostedService } from './hosted-service.ts'
import type { Modules } from './modules.ts'
import { createPathMeters } from './path-meters.ts'

export interface MessagePath {
  readonly routes: readonly Route[]
  readonly findCredentialKind: ServiceCaller['findCredentialKind']
  readonly close: () => void
}

export function createMessagePath(
  core: Foundation,
  { service, host }: HostedService,
  modules: Modules,
  overload: OverloadGate,
): MessagePath {
  const { instruments } = core
  const limits: AnswerLimits = { ...answerLimits, ...core.parts.answerLimits }
  const pings = createPings(systemClock, limits)
  const plain = {
    ...admittingPorts(modules),
    ...servingPorts(core, modules),
    overload,
    host,
    pings,
    disconnects: createClientDisconnects(limits),
    answerLimits: limits,
  }
  const ports = observe(plain, core, modules)
  instruments.observe('gateway_open_streams', (show) => show(pings.openStreams()))
  instruments.observe('gateway_in_flight', (show) => show(overload.calls()))
  return {
    routes: listMessageRoutes(ports),
    findCredentialKind: service.findCredentialKind,
    close: () => {
      pings.stop()
      host.close()
    },
  }
}

function listMessageRoutes(ports: PathPorts): readonly Route[] {
  return [
    ...messageRoutes(createPipeline(ports)),
    ...countTokensRoutes(createCountPath(ports)),
    ...modelRoutes(ports),
    ...profileRoutes(ports),
  ]
}

type Unobserved = Omit<PathPorts, 'meters'>

/**
 * Everything that watches the message path without changing what it does: what is counted, the journal's notes of calls
 * that have begun, and the answers that a shutdown waits for. Nothing is wrapped anywhere else.
 */
function observe(ports: Unobserved, { telemetry, instruments, snapshot }: Foundation, { spend }: Modules): PathPorts {
  const { admission } = telemetry
  const meters = createPathMeters(instruments, snapshot)
  return {
    ...ports,
    meters,
    authenticate: admission.door(ports.authenticate),
    rateWindows: admission.rateWindows(ports.rateWindows),
    budgets: admission.budgets(ports.budgets),
    conditions: meters.counting(ports.conditions),
    host: withOpenCalls(ports.host, spend.ledger),
    track: createRunningAnswers(ports.track),
  }
}

type Admitting = 'authenticate' | 'rateWindows' | 'budgets' | 'ledger' | 'onRateLimited' | 'onCall' | 'onModelsListed'

/** Who is admitted, and what is kept of it. */
function admittingPorts(modules: Modules): Pick<PathPorts, Admitting> {
  const { sightings } = modules.operations
  return {
    authenticate: modules.signIn.authenticate,
    rateWindows: modules.keys.rateLimits,
    budgets: modules.budgets.gate,
    ledger: modules.spend.ledger,
    onRateLimited: modules.notifications.onRateLimited,
    onCall: sightings.callMade,
    onModelsListed: sightings.modelsListed,
  }
}

type Rest = Admitting | Answering | 'overload' | 'host'
type Answering = 'pings' | 'disconnects' | 'answerLimits'

/** What a request is served with. */
function servingPorts(core: Foundation, { endpoints, models, webSearch }: Modules): Omit<Unobserved, Rest> {
  const { snapshot, telemetry, drain } = core
  const { conditions, capabilities, profiles, routing, sessionPlans, mayRecordRefusal } = endpoints.memory
  return {
    clock: systemClock,
    log: core.log,
    snapshot: { current: snapshot },
    whyNotReady: () => (core.isLoaded() ? undefined : 'it is waiting for the database'),
    profiles,
    mappings: models.mappings,
    routing,
    conditions,
    capabilities,
    sessionPlans,
    webSearch: webSearch.webSearch,
    findPortalUrl: core.findKnownUrl,
    mayRecordRefusal,
    track: drain.track,
    firstByteTimeoutMs: core.config.firstByteTimeoutSeconds * 1000,
    tracer: telemetry.tracer,
    calibration: models.calibration,
  }
}
