/** Service quotas of an endpoint's account and region for the hosted model service. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { defined } from '../foundation/platform/defined.ts'
import { callForJson, collectPages, type JsonObject, objectsIn, textIn } from './json-call.ts'
import type { ServiceCaller } from './service-caller.ts'

export interface ServiceQuota {
  readonly code: string
  /** Codes differ per model and region and are not documented: quotas are told apart by this name. */
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly isAdjustable: boolean
  readonly isGlobal: boolean
}

/** Without a size a page holds about eight of more than a thousand quotas. */
const pageSize = 100

export function listServiceQuotas(service: ServiceCaller, endpoint: Endpoint): Promise<readonly ServiceQuota[]> {
  return collectPages(async (token) => {
    const body = defined({ ServiceCode: 'bedrock', MaxResults: pageSize, NextToken: token })
    const page = await callForJson(service, {
      service: 'servicequotas',
      endpoint,
      method: 'POST',
      path: '/',
      contentType: 'application/x-amz-json-1.1',
      headers: { 'x-amz-target': 'ServiceQuotasV20190624.ListServiceQuotas' },
      body: Buffer.from(JSON.stringify(body)),
    })
    return { items: objectsIn(page['Quotas']).flatMap(readQuota), next: page['NextToken'] }
  })
}

function readQuota(fields: JsonObject): readonly ServiceQuota[] {
  const value = fields['Value']
  if (typeof value !== 'number') return []
  return [
    {
      code: textIn(fields, 'QuotaCode'),
      name: textIn(fields, 'QuotaName'),
      value,
      unit: textIn(fields, 'Unit'),
      isAdjustable: fields['Adjustable'] === true,
      isGlobal: fields['GlobalQuota'] === true,
    },
  ]
}
