/** Puts the message path together: the hosted service, everything remembered about it, and the routes. */
import type { IncomingHttpHeaders } from 'node:http'
import { createModelHost } from '../bedrock/model-host.ts'
import { listInferenceProfiles } from '../bedrock/profiles.ts'
import { createServiceCaller, type ServiceCaller } from '../bedrock/service-caller.ts'
import type { Database } from '../foundation/database/database.ts'
import type { Caller } from '../foundation/domain/caller.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import type { InstrumentName } from '../foundation/domain/instruments.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import type { Snapshot } from '../foundation/domain/snapshot.ts'
import type { Drain } from '../foundation/http/drain.ts'
import type { Route } from '../foundation/http/route.ts'
import { systemClock } from '../foundation/platform/clock.ts'
import { createEndOfTurn } from '../foundation/platform/end-of-turn.ts'
import type { Logger } from '../foundation/platform/logger.ts'
import type { Instruments } from '../foundation/platform/metrics.ts'
import { type AnswerLimits, answerLimits } from '../message-path/answer/answer-limits.ts'
import { createDepartures } from '../message-path/answer/departures.ts'
import { createPings } from '../message-path/answer/pings.ts'
import { createCountPath } from '../message-path/count-path.ts'
import { countTokensRoutes } from '../message-path/count-tokens.routes.ts'
import { messageRoutes } from '../message-path/messages.routes.ts'
import type { AdmissionMeters } from '../message-path/meters/admission-meters.ts'
import { modelRoutes } from '../message-path/models.routes.ts'
import { withOpenCalls } from '../message-path/open-calls.ts'
import type { PathPorts } from '../message-path/path-ports.ts'
import { createMessagePath } from '../message-path/pipeline.ts'
import { profileRoutes } from '../message-path/profiles.routes.ts'
import { createOverloadGate } from '../message-path/receive/overload-gate.ts'
import type { BudgetLimits } from '../modules/budgets/budget-limits.service.ts'
import { createCapabilities } from '../modules/endpoints/capabilities.memory.ts'
import { createEndpointConditions } from '../modules/endpoints/endpoint-conditions.memory.ts'
import { createEndpointPlane, type EndpointPlane } from '../modules/endpoints/endpoint-plane.service.ts'
import { createEndpointStats, type EndpointStats } from '../modules/endpoints/endpoint-stats.memory.ts'
import { createRefusalGate } from '../modules/endpoints/refusal-gate.memory.ts'
import { createRoutingMemory } from '../modules/endpoints/routing.memory.ts'
import { createSessionPlans } from '../modules/endpoints/session-plans.memory.ts'
import { createMappingMemory } from '../modules/models/model-mappings.memory.ts'
import { createTokenCalibration } from '../modules/models/token-calibration.memory.ts'
import type { SpendWriter } from '../modules/spend/spend-writer.service.ts'
import type { Config } from './config/config.ts'
import { createPathMeters } from './path-meters.ts'

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
  readonly spend: Pick<SpendWriter, 'ledger'>
  /** Keeps a discovered model for all instances. */
  readonly keepMapping: (mapping: ModelMapping) => Promise<boolean>
  readonly budgets: Pick<BudgetLimits, 'gate' | 'rateWindows'>
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
