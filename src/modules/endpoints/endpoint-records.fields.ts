/** Endpoints and overrides as the wire shows them, and the headers that announce the end of the legacy field. */
import { z } from 'zod'
import { type AipOverride, type Endpoint, routingPrefixes } from '../../foundation/domain/endpoint.ts'
import { type EndpointWarning, endpointWarningCodes } from '../../foundation/domain/endpoint-warning.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { id, isoTime } from '../../foundation/http/fields.ts'
import type { EndpointCondition, EndpointPorts } from './endpoint-ports.ts'
import type { EndpointStore } from './endpoints.store.ts'

export const aipOverrideFields = {
  endpoint_id: id,
  model_id: z.string(),
  aip_arn: z.string(),
  reason: z.string().nullable(),
  set_by: z.string(),
}

export const warningsSchema = z
  .array(
    z.object({
      code: z.enum(endpointWarningCodes),
      model_id: z.string().nullable().meta({ description: 'The override that it is about; null for the endpoint.' }),
      message: z.string(),
    }),
  )
  .meta({ description: 'What works and probably is a mistake. Health does not depend on it.' })

const count = z.int()
const milliseconds = z.number().nullable()

export const endpointSchema = z.object({
  id,
  name: z.string(),
  region: z.string(),
  routing_prefix: z.enum(routingPrefixes),
  priority: z.int(),
  enabled: z.boolean(),
  is_default: z.boolean(),
  role_arn: z.string().nullable(),
  external_id: z.string().nullable(),
  inference_profile_arn: z.string().nullable().meta({ deprecated: true }),
  aip_overrides: z.array(z.object(aipOverrideFields)),
  health_status: z.enum(['healthy', 'unhealthy', 'unknown']),
  health_reason: z.string().nullable(),
  last_checked_at: z.iso.datetime().nullable(),
  available_models: z.array(z.string()),
  warnings: warningsSchema,
  stats: z.object({
    requests_1h: count,
    errors_1h: count,
    throttles_1h: count,
    failovers_1h: count,
    latency_p50_ms_1h: milliseconds,
    latency_p95_ms_1h: milliseconds,
    first_token_p50_ms_1h: milliseconds,
  }),
  created_at: z.iso.datetime(),
})

export function aipOverrideBody(override: AipOverride) {
  return {
    endpoint_id: override.endpointId,
    model_id: override.modelId,
    aip_arn: override.aipArn,
    reason: override.reason,
    set_by: override.setBy,
  }
}

/** The stored part, which is also what the audit trail keeps. */
export function endpointConfigBody(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    name: endpoint.name,
    region: endpoint.region,
    routing_prefix: endpoint.routingPrefix,
    priority: endpoint.priority,
    enabled: endpoint.enabled,
    is_default: endpoint.isDefault,
    role_arn: endpoint.roleArn,
    external_id: endpoint.externalId,
    inference_profile_arn: endpoint.inferenceProfileArn,
    aip_overrides: endpoint.aipOverrides.map(aipOverrideBody),
  }
}

export function warningBody({ code, modelId, message }: EndpointWarning) {
  return { code, model_id: modelId, message }
}

export function endpointBody(endpoint: Endpoint, ports: Pick<EndpointPorts, 'findCondition' | 'listWarnings'>) {
  const condition: EndpointCondition = ports.findCondition(endpoint.id)
  const { stats } = condition
  return {
    ...endpointConfigBody(endpoint),
    health_status: condition.status,
    health_reason: condition.reason,
    last_checked_at: isoTime(condition.checkedAtMs),
    available_models: [...(condition.availableModels ?? [])].sort(),
    warnings: ports.listWarnings(endpoint).map(warningBody),
    stats: {
      requests_1h: stats.requests,
      errors_1h: stats.errors,
      throttles_1h: stats.throttles,
      failovers_1h: stats.failovers,
      latency_p50_ms_1h: stats.latencyP50Ms,
      latency_p95_ms_1h: stats.latencyP95Ms,
      first_token_p50_ms_1h: stats.firstTokenP50Ms,
    },
    created_at: endpoint.createdAt,
  }
}

/** One release cycle after 1.8.0 (spec: Versioning 3). */
const LEGACY_FIELD_ENDS = new Date(Date.UTC(2027, 5, 30, 23, 59, 59))

/** RFC 8594; sent with every answer that shows the legacy field in use. */
export function legacyHeaders(endpoints: readonly Endpoint[]): Readonly<Record<string, string>> {
  const isShown = endpoints.some((endpoint) => endpoint.inferenceProfileArn !== null)
  return isShown ? { deprecation: 'true', sunset: LEGACY_FIELD_ENDS.toUTCString() } : {}
}

export async function requireEndpoint(endpoints: EndpointStore, endpointId: string): Promise<Endpoint> {
  const endpoint = await endpoints.find(endpointId)
  if (endpoint === undefined) throw problem('not_found', { what: 'endpoint' })
  return endpoint
}
