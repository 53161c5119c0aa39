/** Tries every permission that an endpoint's credentials need, and says what the hosted service answered to each. */

import type { InferenceProfile } from '../../bedrock/profiles.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { findPrice } from '../../foundation/domain/find-price.ts'
import { findFoundationModelId, findProfileParts } from '../../foundation/domain/model-id.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { EndpointHealth } from './endpoint-conditions.memory.ts'
import { describeFailure, type HealthFindings, type StepResult } from './health-check.loop.ts'
import type { CallFailure, SyntheticCall } from './synthetic-call.service.ts'

export type Permission = 'invoke' | 'stream' | 'list' | 'get' | 'quotas'

export interface PermissionResult {
  readonly permission: Permission
  readonly status: 'ok' | 'denied' | 'failed' | 'not_checked'
  /** The hosted service's words, or why nothing was asked; null when it is fine. */
  readonly message: string | null
  /** What was invoked or read. */
  readonly target: string | null
}

export interface EndpointCheck {
  readonly health: EndpointHealth
  readonly permissions: readonly PermissionResult[]
}

export interface PermissionPorts {
  /** Runs the health check and keeps its result. */
  readonly check: (endpoint: Endpoint) => Promise<HealthFindings>
  readonly getProfile: (endpoint: Endpoint, id: string) => Promise<InferenceProfile>
  readonly call: (call: SyntheticCall) => Promise<CallFailure>
  readonly readQuotas: (endpoint: Endpoint) => Promise<unknown>
  readonly prices: () => Snapshot['prices']
}

export async function checkPermissions(endpoint: Endpoint, ports: PermissionPorts): Promise<EndpointCheck> {
  const quotas = ask('quotas', endpoint.region, () => ports.readQuotas(endpoint))
  const findings = await ports.check(endpoint)
  const target = findTarget(endpoint, findings.health, ports.prices())
  const [invoke, stream, get] = await Promise.all([
    invokeResult('invoke', endpoint, target, ports),
    invokeResult('stream', endpoint, target, ports),
    getResult(endpoint, findings, target, ports),
  ])
  const permissions = [invoke, stream, result('list', findings.list), get, await quotas]
  return { health: findings.health, permissions }
}

/** The cheapest model on offer: the check is paid for. An endpoint without any offers only its own profiles. */
function findTarget(endpoint: Endpoint, health: EndpointHealth, prices: Snapshot['prices']): string | undefined {
  const offered = [...(health.availableModels ?? [])].filter((id) => findProfileParts(id) !== undefined)
  const readPrice = (id: string): number => {
    const rates = findPrice(prices, { invokedId: id, hostedModelId: findFoundationModelId(id), region: null })?.rates
    return rates === undefined ? Number.POSITIVE_INFINITY : rates.input + rates.output
  }
  const cheapest = offered.reduce<string | undefined>(
    (best, id) => (best === undefined || readPrice(id) < readPrice(best) ? id : best),
    undefined,
  )
  return cheapest ?? endpoint.aipOverrides[0]?.aipArn ?? endpoint.inferenceProfileArn ?? undefined
}

async function invokeResult(
  permission: 'invoke' | 'stream',
  endpoint: Endpoint,
  target: string | undefined,
  ports: PermissionPorts,
): Promise<PermissionResult> {
  if (target === undefined) return notChecked(permission)
  const failure = await ports.call({
    endpoint,
    modelId: target,
    betas: [],
    streaming: permission === 'stream',
    purpose: 'a check of the endpoint that an administrator asked for',
  })
  return result(permission, { target, failure })
}

async function getResult(
  endpoint: Endpoint,
  findings: HealthFindings,
  target: string | undefined,
  ports: PermissionPorts,
): Promise<PermissionResult> {
  const failed = findings.overrides.find((override) => override.failure !== undefined) ?? findings.overrides[0]
  if (failed !== undefined) return result('get', failed)
  if (target === undefined) return notChecked('get')
  return await ask('get', target, () => ports.getProfile(endpoint, target))
}

async function ask(
  permission: Permission,
  target: string,
  question: () => Promise<unknown>,
): Promise<PermissionResult> {
  try {
    await question()
    return result(permission, { target, failure: undefined })
  } catch (failure) {
    // failure-modes: endpoint check fails. It is what the check is there to find out.
    return result(permission, { target, failure })
  }
}

function notChecked(permission: Permission): PermissionResult {
  return { permission, status: 'not_checked', message: 'no model is available here to try it with', target: null }
}

function result(permission: Permission, { target, failure }: StepResult): PermissionResult {
  if (failure === undefined) return { permission, status: 'ok', message: null, target }
  return { permission, status: isDenied(failure) ? 'denied' : 'failed', message: describeFailure(failure), target }
}

interface Refusal {
  readonly kind: string
  readonly status: number
}

/** Failures come bare from calls of models, and inside an error from all others. */
function isDenied(failure: unknown): boolean {
  const { kind, status } = ((failure as { readonly failure?: Refusal }).failure ?? failure) as Refusal
  return kind === 'credentials' || status === 401 || status === 403
}
