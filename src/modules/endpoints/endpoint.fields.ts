/** What a request may say about an endpoint. */
import { z } from 'zod'
import { regionPattern, routingPrefixes } from '../../foundation/domain/endpoint.ts'
import { findBedrockArnParts } from '../../foundation/domain/model-id.ts'
import { name } from '../../foundation/http/fields.ts'
import { defined } from '../../foundation/platform/defined.ts'
import type { EndpointPatch, NewEndpoint } from './endpoints.store.ts'

const MAX_PRIORITY = 1_000_000

const region = z.string().max(40).regex(regionPattern, 'must be a region such as us-east-1')

const roleArn = z
  .string()
  .max(2_048)
  .regex(
    /^arn:aws(?:-[a-z]+)*:iam::\d{12}:role\/(?:[\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/,
    'must be the ARN of a role such as arn:aws:iam::123456789012:role/name',
  )

const externalId = z.string().regex(/^[\w+=,.@:/-]{2,1224}$/, 'must have 2 to 1224 letters, digits or any of _+=,.@:/-')

/** Older releases took application profiles and system profiles alike. */
const profileArn = z
  .string()
  .max(2_048)
  .refine((arn) => {
    const parts = findBedrockArnParts(arn)
    return parts !== undefined && parts.kind !== 'foundation-model' && parts.accountId !== ''
  }, 'must be the ARN of an inference profile')
  .meta({ deprecated: true })

const fields = {
  name,
  region,
  routing_prefix: z.enum(routingPrefixes),
  priority: z.int().min(0).max(MAX_PRIORITY),
  enabled: z.boolean(),
  role_arn: roleArn.nullable(),
  external_id: externalId.nullable(),
  inference_profile_arn: profileArn.nullable(),
}

export const newEndpoint = z.strictObject({
  ...fields,
  priority: fields.priority.default(100),
  enabled: fields.enabled.default(true),
  role_arn: fields.role_arn.default(null),
  external_id: fields.external_id.default(null),
  inference_profile_arn: fields.inference_profile_arn.default(null),
})

export const endpointPatch = z.strictObject(fields).partial()

export function toNewEndpoint(body: z.infer<typeof newEndpoint>): NewEndpoint {
  return {
    name: body.name,
    region: body.region,
    routingPrefix: body.routing_prefix,
    priority: body.priority,
    enabled: body.enabled,
    roleArn: body.role_arn,
    externalId: body.external_id,
    inferenceProfileArn: body.inference_profile_arn,
  }
}

/** Fields that were not sent are not in the patch. */
export function toEndpointPatch(body: z.infer<typeof endpointPatch>): EndpointPatch {
  return defined({
    name: body.name,
    region: body.region,
    routingPrefix: body.routing_prefix,
    priority: body.priority,
    enabled: body.enabled,
    roleArn: body.role_arn,
    externalId: body.external_id,
    inferenceProfileArn: body.inference_profile_arn,
  })
}
