/** Joins what watches over endpoints (health checks, probes, quotas) with the routes that show and change them. */

import type { BedrockHost } from '../../bedrock/model-host.ts'
import { getInferenceProfile } from '../../bedrock/profiles.ts'
import { listServiceQuotas } from '../../bedrock/quotas.ts'
import type { ServiceCaller } from '../../bedrock/service-caller.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import type { PathPorts } from '../../message-path/path-ports.ts'
import { explainModel } from '../models/explain-model.service.ts'
import type { CapabilityMemory } from './capabilities.memory.ts'
import {
  type AppliedVerdicts,
  PROBE_SPREAD,
  PROBE_TICK_MS,
  type ProbePorts,
  startDueProbes,
} from './capability-probe.loop.ts'
import { createCapabilityProbeStore } from './capability-probes.store.ts'
import type { EndpointConditionMemory } from './endpoint-conditions.memory.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import type { EndpointStats } from './endpoint-stats.memory.ts'
import { listEndpointWarnings } from './endpoint-warnings.service.ts'
import {
  checkAndKeep,
  HEALTH_INTERVAL_MS,
  HEALTH_SPREAD,
  type HealthPorts,
  startDueChecks,
} from './health-check.loop.ts'
import { migrateLegacyAips } from './legacy-aip.start.ts'
import { createLookSchedule } from './look-schedule.memory.ts'
import { checkPermissions } from './permission-check.loop.ts'
import { createQuotaCache } from './quota-cache.memory.ts'
import { callSynthetically, type SyntheticCall } from './synthetic-call.ts'

export interface EndpointPlaneParts {
  readonly service: ServiceCaller
  readonly host: BedrockHost
  readonly instruments: Instruments<InstrumentName>
  readonly path: Pick<PathPorts, 'clock' | 'log' | 'snapshot' | 'profiles' | 'mappings' | 'ledger' | 'host'>
  readonly conditions: EndpointConditionMemory
  readonly stats: EndpointStats
  readonly capabilities: CapabilityMemory
  readonly findDatabase: () => Database | undefined
}

/** What the routes need beyond the ports that all of the control plane shares. */
export type EndpointFacts = Omit<EndpointPorts, 'database' | 'changed' | 'snapshot' | 'clock'>

export interface EndpointPlane {
  readonly facts: EndpointFacts
  readonly checkHealth: (signal: AbortSignal) => Promise<void>
  readonly probeCapabilities: (signal: AbortSignal) => Promise<void>
  readonly forgetOldProbes: () => Promise<void>
  readonly migrateLegacyAips: () => Promise<number>
}

export function createEndpointPlane(parts: EndpointPlaneParts): EndpointPlane {
  const { service, conditions, stats, path, capabilities } = parts
  const { clock, log } = path
  const snapshot = (): Snapshot => path.snapshot.current()
  const endpoints = (): readonly Endpoint[] => [...snapshot().endpoints.values()]
  const getProfile = (endpoint: Endpoint, arn: string) => getInferenceProfile(service, endpoint, arn)
  const call = (synthetic: SyntheticCall) =>
    callSynthetically(synthetic, { host: path.host, clock, snapshot, record: path.ledger.append })
  const fetchQuotas = (endpoint: Endpoint) => listServiceQuotas(service, endpoint)
  const quotas = createQuotaCache(clock, fetchQuotas)
  const health = healthPorts(parts, getProfile, endpoints, quotas.keepOnly)
  const probes = probePorts(parts, call, endpoints)
  showHealth(parts, endpoints)

  return {
    facts: {
      conditionOf: (endpointId) => ({ ...conditions.readHealth(endpointId), stats: stats.lastHour(endpointId) }),
      listWarnings: (endpoint) =>
        listEndpointWarnings(endpoint, conditions.readHealth(endpoint.id), (id) => snapshot().mappings.get(id)),
      listProfiles: path.profiles.listProfiles,
      getProfile: async (endpoint, arn) => {
        const profile = await getProfile(endpoint, arn)
        const [modelId] = profile.modelIds
        if (modelId !== undefined) conditions.noteModelBehind(endpoint, arn, modelId)
        return profile
      },
      quotasOf: quotas.read,
      checkNow: (endpoint) =>
        checkPermissions(endpoint, {
          check: (checked) => checkAndKeep(checked, health),
          getProfile,
          call,
          readQuotas: fetchQuotas,
          prices: () => snapshot().prices,
        }),
      listCapabilities: capabilities.list,
      explainModel: (model, endpoint) => explainModel(model, endpoint, { ...path, conditions }),
    },
    checkHealth: async (signal) => startDueChecks(health, signal),
    probeCapabilities: async (signal) => startDueProbes(probes, signal),
    forgetOldProbes: async () => {
      const database = parts.findDatabase()
      if (database !== undefined) await createCapabilityProbeStore(database.kysely).forgetOld()
    },
    migrateLegacyAips: async () => {
      const database = parts.findDatabase()
      return database === undefined ? 0 : await migrateLegacyAips({ database, log, getProfile })
    },
  }
}

/** A series for each endpoint that exists: names are chosen by administrators, so their number is bounded. */
function showHealth({ instruments, conditions }: EndpointPlaneParts, endpoints: () => readonly Endpoint[]): void {
  instruments.observe('gateway_endpoint_healthy', (show) => {
    // Of two that share a name the worse is shown: a series may stand only once.
    const worst = new Map<string, number>()
    for (const { id, name, enabled } of endpoints()) {
      const status = conditions.healthOf(id)
      if (enabled && status !== 'unknown') worst.set(name, Math.min(worst.get(name) ?? 1, status === 'healthy' ? 1 : 0))
    }
    for (const [endpoint, healthy] of worst) show(healthy, { endpoint })
  })
}

function healthPorts(
  { conditions, path, capabilities }: EndpointPlaneParts,
  getProfile: HealthPorts['getProfile'],
  endpoints: HealthPorts['endpoints'],
  forgetQuotas: HealthPorts['keepOnly'],
): HealthPorts {
  const { clock, log } = path
  return {
    endpoints,
    listProfiles: path.profiles.listProfiles,
    getProfile,
    readHealth: conditions.readHealth,
    setHealth: conditions.setHealth,
    nowMs: clock.nowMs,
    schedule: createLookSchedule(clock, { intervalMs: HEALTH_INTERVAL_MS, spread: HEALTH_SPREAD }),
    keepOnly: (endpointIds) => {
      conditions.keepOnly(endpointIds)
      capabilities.keepOnly(endpointIds)
      forgetQuotas(endpointIds)
    },
    onTurn: (endpoint, { status, reason }) => {
      const fields = { endpoint: endpoint.id, name: endpoint.name, reason }
      if (status === 'unhealthy') log.warn(fields, 'an endpoint is unhealthy')
      else log.info(fields, 'an endpoint is healthy')
    },
    onError: (error) => log.error({ err: error }, 'a health check failed in an unforeseen way'),
  }
}

function probePorts(
  { path, conditions, capabilities, findDatabase }: EndpointPlaneParts,
  call: (synthetic: SyntheticCall) => ReturnType<typeof callSynthetically>,
  endpoints: ProbePorts['endpoints'],
): ProbePorts {
  const applied: AppliedVerdicts = new Map()
  return {
    store: () => {
      const database = findDatabase()
      return database === undefined ? undefined : createCapabilityProbeStore(database.kysely)
    },
    endpoints,
    availableModels: conditions.availableModels,
    capabilities,
    isOverridden: (key) =>
      path.snapshot
        .current()
        .capabilityOverrides.some(
          (override) =>
            override.endpointId === key.endpointId &&
            override.profileId === key.profileId &&
            override.feature === key.feature,
        ),
    // CAPABILITY_PROBE_AIP is what the setting is until somebody stores it.
    mayProbeAips: () => path.snapshot.current().settings.capability_probe_aip,
    call: (endpoint, modelId, feature, { betas, fields }) =>
      call({ endpoint, modelId, betas, fields, streaming: false, purpose: `a probe of ${feature}` }),
    schedule: createLookSchedule(path.clock, { intervalMs: PROBE_TICK_MS, spread: PROBE_SPREAD }),
    applied,
    onError: (error) => path.log.warn({ err: error }, 'capabilities could not be probed'),
  }
}
