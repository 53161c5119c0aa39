import { createHash } from 'node:crypto'
import { sendJson } from '../exchange.ts'
import { isRecord, parseJson } from '../json-value.ts'
import { awsError } from './aws-error.ts'
import type { Call } from './call.ts'
import { parsePageToken, toPageToken } from './list-models.ts'
import type { CatalogModel } from './model-catalog.ts'

type Quota = { readonly name: string; readonly value: number; readonly code?: string; readonly adjustable: boolean }

const PAGE_LIMIT = 100

export function listServiceQuotas(call: Call): void {
  const body = parseJson(call.exchange.body)
  const input = isRecord(body) ? body : {}
  if (input['ServiceCode'] !== 'bedrock')
    throw awsError(400, 'NoSuchResourceException', 'The specified service does not exist.')
  const asked = Number(input['MaxResults'] ?? PAGE_LIMIT)
  if (!(asked >= 1 && asked <= PAGE_LIMIT)) throw awsError(400, 'IllegalArgumentException', 'Invalid MaxResults')
  const quotas = listQuotas(call)
  const from = parsePageToken(typeof input['NextToken'] === 'string' ? input['NextToken'] : undefined)
  const to = from + Math.min(asked, call.state.settings.quotaPageSize)
  call.entry.status = 200
  call.entry.completed = true
  sendJson(
    call.exchange.response,
    200,
    {
      Quotas: quotas.slice(from, to).map((quota) => toWireQuota(call, quota)),
      ...(to < quotas.length ? { NextToken: toPageToken(to) } : {}),
    },
    { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': call.entry.requestId },
  )
}

function listQuotas(call: Call): readonly Quota[] {
  const { account, region } = call.caller
  const own = call.state.settings.quotas.filter(
    (quota) => (quota.account ?? account) === account && (quota.region ?? region) === region,
  )
  const replaced = new Set(own.map((quota) => quota.name))
  const builtIn = [...call.state.profiles.models().flatMap(quotasOfModel), ...otherQuotas]
  return [
    ...builtIn.filter((quota) => !replaced.has(quota.name)),
    ...own.map((quota) => ({ ...quota, adjustable: true })),
  ]
}

// Casing and the " V1" ending vary between models in the real list, so they vary here.
function quotasOfModel(model: CatalogModel, index: number): readonly Quota[] {
  const name = `Anthropic ${model.displayName}${index % 2 === 0 ? ' V1' : ''}`
  const region = index % 3 === 0 ? 'Region' : 'region'
  return [
    { name: `Cross-${region} model inference tokens per minute for ${name}`, value: 2_000_000, adjustable: true },
    {
      name: `Global cross-${region} model inference tokens per minute for ${name}`,
      value: 5_000_000,
      adjustable: true,
    },
    {
      name: `Model invocation max tokens per day for ${name} (doubled for cross-region calls)`,
      value: 1_440_000_000,
      adjustable: false,
    },
    ...(model.contextWindow > 200_000
      ? [
          {
            name: `Cross-${region} model inference tokens per minute for ${name} 1M Context Length`,
            value: 1_000_000,
            adjustable: true,
          },
        ]
      : []),
  ]
}

const otherQuotas: readonly Quota[] = [
  { name: 'On-demand model inference tokens per minute for Amazon Nova Lite', value: 4_000_000, adjustable: true },
  { name: 'On-demand model inference requests per minute for Amazon Nova Lite', value: 1_000, adjustable: true },
  { name: 'Number of custom models per account', value: 100, adjustable: true },
]

function toWireQuota(call: Call, quota: Quota): Record<string, unknown> {
  const { account, region } = call.caller
  const code =
    quota.code ?? `L-${createHash('sha256').update(`${region} ${quota.name}`).digest('hex').slice(0, 8).toUpperCase()}`
  return {
    ServiceCode: 'bedrock',
    ServiceName: 'Amazon Bedrock',
    QuotaArn: `arn:aws:servicequotas:${region}:${account}:bedrock/${code}`,
    QuotaCode: code,
    QuotaName: quota.name,
    Value: quota.value,
    Unit: 'None',
    Adjustable: quota.adjustable,
    GlobalQuota: false,
    QuotaAppliedAtLevel: 'ACCOUNT',
  }
}
