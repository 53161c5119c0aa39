/** Looks at every enabled endpoint: may we list profiles there, does every override resolve, and what does it offer. */

import type { InferenceProfile } from '../../bedrock/profiles.ts'
import type { AipOverride, Endpoint } from '../../foundation/domain/endpoint.ts'
import type { EndpointHealth } from './endpoint-conditions.memory.ts'
import { inParallel } from './in-parallel.ts'
import type { LookSchedule } from './look-schedule.memory.ts'

export interface CheckPorts {
  readonly listProfiles: (endpoint: Endpoint) => Promise<readonly InferenceProfile[]>
  readonly getProfile: (endpoint: Endpoint, arn: string) => Promise<InferenceProfile>
  readonly readHealth: (endpointId: string) => EndpointHealth
  readonly nowMs: () => number
}

export interface HealthPorts extends CheckPorts {
  readonly endpoints: () => readonly Endpoint[]
  readonly setHealth: (endpoint: Endpoint, health: EndpointHealth) => void
  readonly schedule: LookSchedule
  /** Called with every endpoint that exists, so that what is remembered of others can go. */
  readonly keepOnly: (endpointIds: ReadonlySet<string>) => void
  readonly onTurn: (endpoint: Endpoint, health: EndpointHealth) => void
  readonly onError: (error: unknown) => void
}

/** spec: Limits, endpoint health check interval. */
export const HEALTH_INTERVAL_MS = 60_000
export const HEALTH_SPREAD = 0.05

/** A check holds a socket or a few; beyond this they would only wait for each other. */
const CHECKS_AT_ONCE = 64
/** An account allows a handful of these questions a second. */
const OVERRIDES_AT_ONCE = 4

/** The outcome of one question, for administrators. */
export interface StepResult {
  readonly target: string
  readonly failure: unknown
}

export interface HealthFindings {
  readonly health: EndpointHealth
  readonly list: StepResult
  readonly overrides: readonly StepResult[]
}

/** Starts the checks that are due and does not wait for them: each endpoint keeps its own minute, however slow another is. */
export function startDueChecks(ports: HealthPorts, signal: AbortSignal): void {
  const endpoints = ports.endpoints()
  ports.keepOnly(new Set(endpoints.map((endpoint) => endpoint.id)))
  const enabled = endpoints.filter((endpoint) => endpoint.enabled)
  // A disabled endpoint is forgotten here, so that it is checked at once when it is enabled again.
  ports.schedule.keepOnly(new Set(enabled.map((endpoint) => endpoint.id)))
  for (const endpoint of enabled) {
    if (signal.aborted || ports.schedule.running() >= CHECKS_AT_ONCE) return
    if (!ports.schedule.begin(endpoint.id, fingerprint(endpoint))) continue
    checkAndKeep(endpoint, ports)
      .finally(() => ports.schedule.finished(endpoint.id))
      .catch(ports.onError)
  }
}

export async function checkAndKeep(
  endpoint: Endpoint,
  ports: Pick<HealthPorts, 'setHealth' | 'onTurn'> & CheckPorts,
): Promise<HealthFindings> {
  const before = ports.readHealth(endpoint.id)
  const findings = await checkEndpoint(endpoint, ports)
  ports.setHealth(endpoint, findings.health)
  // The findings are not kept when the endpoint has moved meanwhile.
  const isKept = ports.readHealth(endpoint.id) === findings.health
  if (isKept && before.status !== findings.health.status) ports.onTurn(endpoint, findings.health)
  return findings
}

/** What a check depends on; the name and the priority may change without another look. */
function fingerprint(endpoint: Endpoint): string {
  const { region, routingPrefix, roleArn, externalId, aipOverrides } = endpoint
  return JSON.stringify([
    region,
    routingPrefix,
    roleArn,
    externalId,
    aipOverrides.map(({ modelId, aipArn }) => [modelId, aipArn]),
  ])
}

/** spec: Routing rules 7. One profile that does not resolve is enough to be unhealthy. */
export async function checkEndpoint(endpoint: Endpoint, ports: CheckPorts): Promise<HealthFindings> {
  const [listed, overrides] = await Promise.all([
    settle(endpoint.region, () => ports.listProfiles(endpoint)),
    inParallel(endpoint.aipOverrides, OVERRIDES_AT_ONCE, (override) => resolveOverride(endpoint, override, ports)),
  ])
  const prefix = `${endpoint.routingPrefix}.`
  const offered = listed.value?.map((profile) => profile.profileId).filter((id) => id.startsWith(prefix))
  const reasons = [
    ...(listed.failure === undefined
      ? []
      : [`inference profiles could not be listed: ${describeFailure(listed.failure)}`]),
    ...overrides.flatMap((override) => override.reason ?? []),
  ]
  // What was offered before the account stopped answering is a better guess than "everything" or "nothing".
  const systemModels =
    offered ?? [...(ports.readHealth(endpoint.id).availableModels ?? [])].filter((id) => id.startsWith(prefix))
  const models = new Set([...systemModels, ...overrides.flatMap((override) => override.modelIds)])
  const isUnknown = offered === undefined && models.size === 0
  const hint = offered?.length === 0 ? `no inference profile here has the prefix ${endpoint.routingPrefix}` : null
  return {
    health: {
      status: reasons.length === 0 ? 'healthy' : 'unhealthy',
      reason: reasons.length === 0 ? hint : reasons.join('; '),
      checkedAtMs: ports.nowMs(),
      availableModels: isUnknown ? undefined : models,
      modelsBehind: modelsBehind(overrides, ports.readHealth(endpoint.id).modelsBehind),
    },
    list: { target: listed.target, failure: listed.failure },
    overrides,
  }
}

interface ResolvedOverride extends StepResult {
  readonly modelIds: readonly string[]
  readonly reason: string | undefined
}

async function resolveOverride(
  endpoint: Endpoint,
  override: AipOverride,
  ports: CheckPorts,
): Promise<ResolvedOverride> {
  const { target, value, failure } = await settle(override.aipArn, () => ports.getProfile(endpoint, override.aipArn))
  const reason =
    failure === undefined
      ? undefined
      : `the profile ${override.aipArn} of ${override.modelId} does not resolve: ${describeFailure(failure)}`
  return { target, failure, modelIds: value?.modelIds ?? [], reason }
}

/** A profile that cannot be read for a moment has the model that it had. */
function modelsBehind(
  overrides: readonly ResolvedOverride[],
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  return new Map(
    overrides.flatMap(({ target, modelIds }) => {
      const modelId = modelIds[0] ?? before.get(target)
      return modelId === undefined ? [] : [[target, modelId]]
    }),
  )
}

async function settle<T>(
  target: string,
  ask: () => Promise<T>,
): Promise<StepResult & { readonly value: T | undefined }> {
  try {
    return { target, value: await ask(), failure: undefined }
  } catch (failure) {
    // failure-modes: endpoint check fails. It is what the check is there to find out.
    return { target, value: undefined, failure: failure ?? new Error('unknown') }
  }
}

/** Errors and failures of the hosted service alike. */
export function describeFailure(failure: unknown): string {
  const { message } = failure as { readonly message?: unknown }
  return typeof message === 'string' && message !== '' ? message.slice(0, 500) : 'no reason was given'
}
