/** Looks at every enabled endpoint: may we list profiles there, does every override resolve, and what does it offer. */
import type { Endpoint } from '../domain/endpoint.ts'
import type { InferenceProfile } from '../provider/profiles.ts'
import type { EndpointHealth } from '../state/endpoint-conditions.ts'

export interface HealthPorts {
  readonly endpoints: () => readonly Endpoint[]
  readonly listProfiles: (endpoint: Endpoint) => Promise<readonly InferenceProfile[]>
  readonly getProfile: (endpoint: Endpoint, arn: string) => Promise<InferenceProfile>
  readonly setHealth: (endpointId: string, health: EndpointHealth) => void
  readonly nowMs: () => number
}

/** A slow account must not hold up the others; more at once would only queue on our side. */
const CHECKS_AT_ONCE = 8

export async function checkEndpoints(ports: HealthPorts, signal: AbortSignal): Promise<void> {
  const waiting = ports.endpoints().filter((endpoint) => endpoint.enabled)
  const worker = async (): Promise<void> => {
    for (let endpoint = waiting.pop(); endpoint !== undefined && !signal.aborted; endpoint = waiting.pop())
      ports.setHealth(endpoint.id, await checkEndpoint(endpoint, ports))
  }
  await Promise.all(Array.from({ length: Math.min(CHECKS_AT_ONCE, waiting.length) }, worker))
}

/** spec: Routing rules 7. One profile that does not resolve is enough to be unhealthy. */
export async function checkEndpoint(endpoint: Endpoint, ports: HealthPorts): Promise<EndpointHealth> {
  const available = new Set<string>()
  try {
    const profiles = await ports.listProfiles(endpoint)
    const prefix = `${endpoint.routingPrefix}.`
    for (const profile of profiles) if (profile.profileId.startsWith(prefix)) available.add(profile.profileId)
    if (profiles.length > 0 && available.size === 0)
      return unhealthy(`no inference profile here has the prefix ${endpoint.routingPrefix}`, ports, available)
  } catch (error) {
    return unhealthy(`inference profiles could not be listed: ${reasonOf(error)}`, ports, undefined)
  }
  for (const override of endpoint.aipOverrides) {
    try {
      const profile = await ports.getProfile(endpoint, override.aipArn)
      for (const modelId of profile.modelIds) available.add(modelId)
    } catch (error) {
      return unhealthy(`the profile of ${override.modelId} does not resolve: ${reasonOf(error)}`, ports, available)
    }
  }
  return { status: 'healthy', reason: null, checkedAtMs: ports.nowMs(), availableModels: available }
}

function unhealthy(
  reason: string,
  ports: HealthPorts,
  availableModels: ReadonlySet<string> | undefined,
): EndpointHealth {
  return { status: 'unhealthy', reason, checkedAtMs: ports.nowMs(), availableModels }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
