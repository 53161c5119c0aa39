/** Puts the message path together: the hosted service, everything remembered about it, and the routes. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config/config.ts'
import { type AnswerLimits, answerLimits } from '../data-plane/answer/answer-limits.ts'
import { createDepartures } from '../data-plane/answer/departures.ts'
import { createPings } from '../data-plane/answer/pings.ts'
import { createCountPath } from '../data-plane/count-path.ts'
import { countTokensRoutes } from '../data-plane/count-tokens.routes.ts'
import { messageRoutes } from '../data-plane/messages.routes.ts'
import { modelRoutes } from '../data-plane/models.routes.ts'
import type { PathPorts } from '../data-plane/path-ports.ts'
import { createMessagePath } from '../data-plane/pipeline.ts'
import { profileRoutes } from '../data-plane/profiles.routes.ts'
import { createOverloadGate } from '../data-plane/receive/overload-gate.ts'
import type { Caller } from '../domain/caller.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import type { InstrumentName } from '../domain/instruments.ts'
import type { ModelMapping } from '../domain/model-mapping.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { Drain } from '../http/drain.ts'
import type { Route } from '../http/route.ts'
import { systemClock } from '../platform/clock.ts'
import { createEndOfTurn } from '../platform/end-of-turn.ts'
import type { Logger } from '../platform/logger.ts'
import type { Instruments } from '../platform/metrics.ts'
import { createModelHost } from '../provider/model-host.ts'
import { listInferenceProfiles } from '../provider/profiles.ts'
import { createServiceCaller, type ServiceCaller } from '../provider/service-caller.ts'
import { createCapabilities } from '../state/capabilities.ts'
import { createEndpointConditions } from '../state/endpoint-conditions.ts'
import { createEndpointStats, type EndpointStats } from '../state/endpoint-stats.ts'
import { createMappingMemory } from '../state/mapping-memory.ts'
import type { AdmissionMeters } from '../state/meters/admission-meters.ts'
import { createPathMeters } from '../state/meters/path-meters.ts'
import { createRefusalGate } from '../state/refusal-gate.ts'
import { createRoutingMemory } from '../state/routing-memory.ts'
import { createSessionPlans } from '../state/session-plans.ts'
import { createTokenCalibration } from '../state/token-calibration.ts'
import type { Database } from '../stores/database.ts'
import type { Budgets } from './budgets.ts'
import { createEndpointPlane, type EndpointPlane } from './endpoint-plane.ts'
import { withOpenCalls } from './open-calls.ts'
import type { Spend } from './spend.ts'

export interface MessagePathParts {
  readonly config: Config
  readonly log: Logger
  readonly instruments: Instruments<InstrumentName>
  readonly admission: AdmissionMeters
  readonly tracer: PathPorts['tracer']
  readonly drain: Drain
  readonly snapshot: () => Snapshot
  readonly whyNotReady: () => string | undefined
  readonly authenticate: (headers: IncomingHttpHeaders) => Caller | Promise<Caller>
  readonly spend: Pick<Spend, 'ledger'>
  /** Keeps a discovered model for all instances. */
  readonly keepMapping: (mapping: ModelMapping) => Promise<boolean>
  readonly budgets: Pick<Budgets, 'gate' | 'rateWindows'>
  readonly findDatabase: () => Database | undefined
  readonly onRateLimited: PathPorts['onRateLimited']
  readonly onCall: PathPorts['onCall']
  readonly onModelsListed: PathPorts['onModelsListed']
  readonly webSearch: PathPorts['webSearch']
  readonly findPortalUrl: PathPorts['findPortalUrl']
  /** Other than the usual ones, for tests. */
  readonly answerLimits?: Partial<AnswerLimits> | undefined
}

export interface WiredMessagePath {
  readonly routes: readonly Route[]
  readonly endpoints: EndpointPlane
  readonly endpointStats: EndpointStats
  readonly inFlight: () => number
  readonly credentialKindOf: ServiceCaller['credentialKindOf']
  readonly close: () => void
}

export function wireMessagePath(parts: MessagePathParts): WiredMessagePath {
  const { config, log, snapshot, instruments, admission } = parts
  const clock = systemClock
  const service = createServiceCaller({
    clock,
    bearerToken: config.awsBearerTokenBedrock?.reveal(),
    urls: {
      bedrockRuntime: config.awsEndpointUrlBedrockRuntime ?? undefined,
      bedrock: config.awsEndpointUrlBedrock ?? undefined,
      serviceQuotas: config.awsEndpointUrlServiceQuotas ?? undefined,
      everyService: config.awsEndpointUrl ?? undefined,
    },
    onRefreshFailed: ({ name, message }, { roleArn, region }) =>
      log.warn({ role: roleArn ?? 'own', region, name, message }, 'AWS credentials could not be refreshed'),
    onForeignAnswer: ({ id, name }, { status, foreignText }) =>
      log.warn({ endpoint: id, name, status, text: foreignText }, 'something other than Amazon Bedrock answered'),
  })
  const host = createModelHost(service)
  const stats = createEndpointStats(clock)
  const conditions = createEndpointConditions(clock, stats, (id) => snapshot().endpoints.get(id))
  const capabilities = createCapabilities(clock, () => snapshot().capabilityOverrides)
  const listProfiles = async (endpoint: Endpoint) => {
    const profiles = await listInferenceProfiles(service, endpoint)
    const ofScope = profiles.filter(({ profileId }) => profileId.startsWith(`${endpoint.routingPrefix}.`))
    conditions.noteProfiles(
      endpoint,
      ofScope.map(({ profileId }) => profileId),
    )
    return profiles
  }
  const meters = createPathMeters(instruments, snapshot)
  const limits: AnswerLimits = { ...answerLimits, ...parts.answerLimits }
  const pings = createPings(clock, limits)
  const ports: PathPorts = {
    endOfTurn: createEndOfTurn(),
    clock,
    log,
    snapshot: { current: snapshot },
    whyNotReady: parts.whyNotReady,
    authenticate: parts.authenticate,
    overload: createOverloadGate(),
    rateWindows: admission.rateWindows(parts.budgets.rateWindows),
    budgets: admission.budgets(parts.budgets.gate),
    profiles: { availableModels: conditions.availableModels, modelBehind: conditions.modelBehind, listProfiles },
    mappings: createMappingMemory(clock, parts.keepMapping),
    routing: createRoutingMemory(clock),
    conditions: meters.counting(conditions),
    capabilities,
    sessionPlans: createSessionPlans(),
    host: withOpenCalls(host, parts.spend.ledger),
    webSearch: parts.webSearch,
    findPortalUrl: parts.findPortalUrl,
    ledger: parts.spend.ledger,
    mayRecordRefusal: createRefusalGate(clock),
    onRateLimited: parts.onRateLimited,
    onCall: parts.onCall,
    onModelsListed: parts.onModelsListed,
    pings,
    departures: createDepartures(limits),
    answerLimits: limits,
    track: parts.drain.track,
    firstByteTimeoutMs: config.firstByteTimeoutSeconds * 1000,
    meters,
    tracer: parts.tracer,
    calibration: createTokenCalibration(),
  }
  instruments.observe('gateway_open_streams', (show) => show(pings.openStreams()))
  instruments.observe('gateway_in_flight', (show) => show(ports.overload.calls()))
  return {
    routes: [
      ...messageRoutes(createMessagePath(ports)),
      ...countTokensRoutes(createCountPath(ports)),
      ...modelRoutes(ports),
      ...profileRoutes(ports),
    ],
    endpoints: createEndpointPlane({
      service,
      host,
      instruments,
      path: ports,
      conditions,
      stats,
      capabilities,
      findDatabase: parts.findDatabase,
    }),
    endpointStats: stats,
    inFlight: ports.overload.calls,
    credentialKindOf: service.credentialKindOf,
    close: () => {
      pings.stop()
      host.close()
    },
  }
}
