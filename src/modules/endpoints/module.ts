/** Endpoints: accounts and regions, their health and capabilities, and how requests are routed over them. */

import { getInferenceProfile, listInferenceProfiles } from '../../bedrock/profiles.ts'
import { listServiceQuotas, type ServiceQuota } from '../../bedrock/quotas.ts'
import type { ServiceCaller } from '../../bedrock/service-caller.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { ModelHost } from '../../foundation/domain/model-host.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import { hourly } from '../../foundation/platform/loops.ts'
import type { Ledger, ProfileDirectory } from '../../message-path/ports.ts'
import { aipOverrideRoutes } from './aip-overrides.routes.ts'
import { type CapabilityMemory, createCapabilities } from './capabilities.memory.ts'
import { capabilityRoutes } from './capabilities.routes.ts'
import {
  type AppliedVerdicts,
  PROBE_SPREAD,
  PROBE_TICK_MS,
  type ProbePorts,
  startDueProbes,
} from './capability-probe.loop.ts'
import { createCapabilityProbeStore } from './capability-probes.store.ts'
import { type CheckedEndpoint, type CheckParts, checkOnce } from './check-once.start.ts'
import { createDefaultEndpoint } from './default-endpoint.start.ts'
import { type DrainPorts, drainRoute } from './drain.route.ts'
import { createEndpointConditions, type EndpointConditionMemory } from './endpoint-conditions.memory.ts'
import { endpointFactRoutes } from './endpoint-facts.routes.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { createEndpointStats, type EndpointStats } from './endpoint-stats.memory.ts'
import { listEndpointWarnings } from './endpoint-warnings.service.ts'
import { endpointRoutes } from './endpoints.routes.ts'
import {
  checkAndKeep,
  HEALTH_INTERVAL_MS,
  HEALTH_SPREAD,
  type HealthPorts,
  startDueChecks,
} from './health-check.loop.ts'
import { bringLegacyProfiles } from './legacy-aip.start.ts'
import { createLookSchedule } from './look-schedule.memory.ts'
import { checkPermissions } from './permission-check.loop.ts'
import { createQuotaCache, type QuotaCache } from './quota-cache.memory.ts'
import { createRefusalGate } from './refusal-gate.memory.ts'
import { createRoutingMemory } from './routing.memory.ts'
import { createSessionPlans } from './session-plans.memory.ts'
import { callSynthetically, type SyntheticCall } from './synthetic-call.service.ts'
import { teamRoutingRoutes } from './team-routing.routes.ts'

export interface EndpointParts extends Pick<DrainPorts, 'readEndpointMinutes'> {
  readonly service: ServiceCaller
  readonly host: ModelHost
  /** Of the gateway itself, for the endpoint that a new gateway begins with. */
  readonly region: string
  /** Keeps a record of every request that the gateway makes by itself. */
  readonly record: Ledger['append']
  /** False for tests that count or script requests to Bedrock: the gateway then makes none of its own. */
  readonly probes: boolean
}

/** What the message path and other modules know of endpoints. */
export interface EndpointMemory {
  readonly stats: EndpointStats
  readonly conditions: EndpointConditionMemory
  readonly capabilities: CapabilityMemory
  readonly profiles: ProfileDirectory
  readonly routing: ReturnType<typeof createRoutingMemory>
  readonly sessionPlans: ReturnType<typeof createSessionPlans>
  readonly mayRecordRefusal: (keyId: string) => boolean
}

export interface Endpoints extends Module {
  readonly memory: EndpointMemory
  readonly findCondition: EndpointPorts['findCondition']
  /** The first look at every endpoint, once requests are taken. */
  readonly checkHealth: (signal: AbortSignal) => Promise<void>
}

/** What all that watches over endpoints works with. */
interface Watch {
  readonly core: Core
  readonly parts: EndpointParts
  readonly memory: EndpointMemory
  readonly endpoints: () => readonly Endpoint[]
  readonly getProfile: HealthPorts['getProfile']
  readonly call: (synthetic: SyntheticCall) => ReturnType<typeof callSynthetically>
  readonly quotas: QuotaCache<ServiceQuota>
}

export function createEndpoints(core: Core, parts: EndpointParts): Endpoints {
  const { link, snapshot, clock, log } = core
  const { service } = parts
  const memory = createEndpointMemory(core, service)
  const watch: Watch = {
    core,
    parts,
    memory,
    endpoints: () => [...snapshot().endpoints.values()],
    getProfile: (endpoint, arn) => getInferenceProfile(service, endpoint, arn),
    call: (synthetic) => callSynthetically(synthetic, { host: parts.host, clock, snapshot, record: parts.record }),
    quotas: createQuotaCache(clock, (endpoint) => listServiceQuotas(service, endpoint)),
  }
  const health = healthPorts(watch)
  const probes = probePorts(watch)
  showHealth(watch)
  const facts = endpointFacts(watch, health)
  const { readEndpointMinutes } = parts
  const checkHealth = async (signal: AbortSignal): Promise<void> => startDueChecks(health, signal)
  const probe = async (signal: AbortSignal): Promise<void> =>
    parts.probes ? startDueProbes(probes, signal) : undefined
  const forgetOldProbes = async (): Promise<void> => {
    const database = link.find()
    if (database !== undefined) await createCapabilityProbeStore(database.kysely).forgetOld()
  }
  return {
    memory,
    findCondition: facts.findCondition,
    checkHealth,
    routes: listEndpointRoutes({ ...core, ...facts, readEndpointMinutes }),
    loops: [
      // Both look twice a second for what is due; each endpoint has its own minute, and new ones do not wait for it.
      { name: 'health-check', intervalMs: 500, run: checkHealth },
      { name: 'capability-probe', intervalMs: 500, run: probe },
      { name: 'old-probes', ...hourly, jitter: 0.5, run: forgetOldProbes },
    ],
    seed: async (database: Database) => {
      await createDefaultEndpoint({ database, region: parts.region, log })
    },
    start: () => bringLegacyProfiles({ ...core, database: link.find, getProfile: watch.getProfile }),
  }
}

/** Without a gateway, on the machine where it would run. */
export const checkEndpointOnce: (endpoint: Endpoint, parts: CheckParts) => Promise<CheckedEndpoint> = checkOnce
export type { CheckedEndpoint }

export function listEndpointRoutes(ports: DrainPorts): readonly Route[] {
  return [
    ...endpointRoutes(ports),
    ...endpointFactRoutes(ports),
    drainRoute(ports),
    ...aipOverrideRoutes(ports),
    ...teamRoutingRoutes(ports),
    ...capabilityRoutes(ports),
  ]
}

function createEndpointMemory({ clock, snapshot }: Core, service: ServiceCaller): EndpointMemory {
  const stats = createEndpointStats(clock)
  const conditions = createEndpointConditions(clock, stats, (id) => snapshot().endpoints.get(id))
  const listProfiles = async (endpoint: Endpoint) => {
    const profiles = await listInferenceProfiles(service, endpoint)
    const ofScope = profiles.filter(({ profileId }) => profileId.startsWith(`${endpoint.routingPrefix}.`))
    conditions.noteProfiles(
      endpoint,
      ofScope.map(({ profileId }) => profileId),
    )
    return profiles
  }
  return {
    stats,
    conditions,
    capabilities: createCapabilities(clock, () => snapshot().capabilityOverrides),
    profiles: { availableModels: conditions.availableModels, modelBehind: conditions.modelBehind, listProfiles },
    routing: createRoutingMemory(clock),
    sessionPlans: createSessionPlans(),
    mayRecordRefusal: createRefusalGate(clock),
  }
}

/** What the routes need beyond the ports that all routes share. */
type EndpointFacts = Omit<EndpointPorts, 'database' | 'changed' | 'snapshot' | 'clock'>

function endpointFacts({ core, parts, memory, getProfile, call, quotas }: Watch, health: HealthPorts): EndpointFacts {
  const { snapshot } = core
  const { conditions, stats, capabilities, profiles } = memory
  return {
    findCondition: (endpointId) => ({ ...conditions.readHealth(endpointId), stats: stats.lastHour(endpointId) }),
    listWarnings: (endpoint) =>
      listEndpointWarnings(endpoint, conditions.readHealth(endpoint.id), (id) => snapshot().mappings.get(id)),
    listProfiles: profiles.listProfiles,
    getProfile: async (endpoint, arn) => {
      const profile = await getProfile(endpoint, arn)
      const [modelId] = profile.modelIds
      if (modelId !== undefined) conditions.noteModelBehind(endpoint, arn, modelId)
      return profile
    },
    findQuotas: quotas.read,
    checkNow: (endpoint) =>
      checkPermissions(endpoint, {
        check: (checked) => checkAndKeep(checked, health),
        getProfile,
        call,
        readQuotas: (one) => listServiceQuotas(parts.service, one),
        prices: () => snapshot().prices,
      }),
    listCapabilities: capabilities.list,
  }
}

/** A series for each endpoint that exists: names are chosen by administrators, so their number is bounded. */
function showHealth({ core: { instruments }, memory: { conditions }, endpoints }: Watch): void {
  instruments.observe('gateway_endpoint_healthy', (show) => {
    // Of two that share a name the worse is shown: a series may stand only once.
    const worst = new Map<string, number>()
    for (const { id, name, enabled } of endpoints()) {
      const status = conditions.findHealth(id)
      if (enabled && status !== 'unknown') worst.set(name, Math.min(worst.get(name) ?? 1, status === 'healthy' ? 1 : 0))
    }
    for (const [endpoint, healthy] of worst) show(healthy, { endpoint })
  })
}

function healthPorts({ core, memory, endpoints, getProfile, quotas }: Watch): HealthPorts {
  const { clock, log } = core
  const { conditions, capabilities, profiles } = memory
  return {
    endpoints,
    listProfiles: profiles.listProfiles,
    getProfile,
    readHealth: conditions.readHealth,
    setHealth: conditions.setHealth,
    nowMs: clock.nowMs,
    schedule: createLookSchedule(clock, { intervalMs: HEALTH_INTERVAL_MS, spread: HEALTH_SPREAD }),
    keepOnly: (endpointIds) => {
      conditions.keepOnly(endpointIds)
      capabilities.keepOnly(endpointIds)
      quotas.keepOnly(endpointIds)
    },
    onTurn: (endpoint, { status, reason }) => {
      const fields = { endpoint: endpoint.id, name: endpoint.name, reason }
      if (status === 'unhealthy') log.warn(fields, 'an endpoint is unhealthy')
      else log.info(fields, 'an endpoint is healthy')
    },
    onError: (error) => log.error({ err: error }, 'a health check failed in an unforeseen way'),
  }
}

function probePorts({ core, memory, endpoints, call }: Watch): ProbePorts {
  const { link, snapshot, clock, log } = core
  const { conditions, capabilities } = memory
  const applied: AppliedVerdicts = new Map()
  return {
    store: () => {
      const database = link.find()
      return database === undefined ? undefined : createCapabilityProbeStore(database.kysely)
    },
    endpoints,
    availableModels: conditions.availableModels,
    capabilities,
    isOverridden: (key) =>
      snapshot().capabilityOverrides.some(
        (override) =>
          override.endpointId === key.endpointId &&
          override.profileId === key.profileId &&
          override.feature === key.feature,
      ),
    // CAPABILITY_PROBE_AIP is what the setting is until somebody stores it.
    mayProbeAips: () => snapshot().settings.capability_probe_aip,
    call: (endpoint, modelId, feature, { betas, fields }) =>
      call({ endpoint, modelId, betas, fields, streaming: false, purpose: `a probe of ${feature}` }),
    schedule: createLookSchedule(clock, { intervalMs: PROBE_TICK_MS, spread: PROBE_SPREAD }),
    applied,
    onError: (error) => log.warn({ err: error }, 'capabilities could not be probed'),
  }
}
