/** The models a caller may use, from memory: exact client ids on endpoints that the caller's team may reach. */
import type { ServerResponse } from 'node:http'
import { type Caller, callerLabel } from '../domain/caller.ts'
import { LONG_CONTEXT_BETA } from '../domain/capability.ts'
import type { Endpoint } from '../domain/endpoint.ts'
import { errorBody, Problem, problem } from '../domain/errors.ts'
import { modelIdForText } from '../domain/model-id.ts'
import type { ModelMapping } from '../domain/model-mapping.ts'
import { type RawContext, type RawRoute, rawRoute } from '../http/route.ts'
import type { PathPorts } from './path-ports.ts'
import { reachableEndpoints } from './route/reachable-endpoints.ts'
import { findTarget } from './route/target.ts'

type ModelPorts = Pick<
  PathPorts,
  'snapshot' | 'profiles' | 'mappings' | 'capabilities' | 'authenticate' | 'whyNotReady' | 'log'
>

interface ModelEntry {
  readonly type: 'model'
  readonly id: string
  readonly display_name: string
  readonly created_at: string
  readonly max_input_tokens?: number
  readonly max_tokens?: number
}

export function modelRoutes(ports: ModelPorts): RawRoute[] {
  const shared = { method: 'GET', access: 'client', tag: 'Messages' } as const
  const withCaller =
    (answer: (caller: Caller, url: string, context: RawContext) => object): RawRoute['handle'] =>
    (request, response, context) => {
      const run = async (): Promise<void> => {
        const reason = ports.whyNotReady()
        if (reason !== undefined) throw problem('not_ready', { reason }, { headers: { 'retry-after': '2' } })
        const caller = await ports.authenticate(request.headers)
        context.identify(callerLabel(caller))
        sendJson(response, 200, answer(caller, request.url ?? '', context))
      }
      run().catch((error: unknown) => {
        const refused = error instanceof Problem ? error : problem('internal', {}, { cause: error })
        if (refused.code === 'internal') ports.log.error({ id: context.requestId, err: error }, 'request failed')
        sendJson(response, refused.status, errorBody(refused, context.requestId), refused.headers)
      })
    }
  return [
    rawRoute({
      ...shared,
      path: '/v1/models',
      summary: 'List the models you can use',
      description: 'Query: `limit` (1 to 1000, default 1000), `after_id`, `before_id`.',
      answers: { 200: { text: 'A page of models' } },
      handle: withCaller((caller, url) => page(modelsOf(caller, ports), new URLSearchParams(url.split('?')[1] ?? ''))),
    }),
    rawRoute({
      ...shared,
      path: '/v1/models/{id}',
      summary: 'One model',
      answers: { 200: { text: 'The model' }, 404: { text: 'Not available to you' } },
      handle: withCaller((caller, _url, { params }) => {
        const id = params['id'] ?? ''
        const found = modelsOf(caller, ports).find((model) => model.id === id)
        if (found === undefined) throw problem('model_not_available', { model: modelIdForText(id) })
        return found
      }),
    }),
  ]
}

function modelsOf(caller: Caller, ports: ModelPorts): ModelEntry[] {
  const snapshot = ports.snapshot.current()
  const endpoints = reachableEndpoints(snapshot, caller)
  const allowed = caller.kind === 'key' ? caller.key.allowedModels : null
  const found: ModelEntry[] = []
  const sorted = [...snapshot.mappings.values()].sort((a, b) => (a.vendorPrefix < b.vendorPrefix ? -1 : 1))
  for (const mapping of sorted) {
    if (allowed !== null && !allowed.includes(mapping.vendorPrefix)) continue
    const targets = targetsOf(mapping, endpoints, ports)
    if (targets.length === 0) continue
    found.push(toEntry(mapping, ''))
    const isLong = targets.some(({ endpoint, modelId }) => isLongContext(endpoint, modelId, ports))
    if (isLong) found.push(toEntry(mapping, '[1m]'))
  }
  return found
}

function targetsOf(mapping: ModelMapping, endpoints: readonly Endpoint[], ports: ModelPorts) {
  const { mappings } = ports.snapshot.current()
  const model = {
    requestedId: mapping.vendorPrefix,
    logicalId: mapping.vendorPrefix,
    hostedModelId: mapping.hostedModelId,
    namedTarget: null,
    longContext: false,
    mapping,
  }
  const targetPorts = {
    availableModels: ports.profiles.availableModels,
    findMapping: (id: string) => mappings.get(id) ?? ports.mappings.findDiscovered(id),
  }
  return endpoints.flatMap((endpoint) => findTarget(endpoint, model, targetPorts) ?? [])
}

function isLongContext(endpoint: Endpoint, modelId: string, ports: ModelPorts): boolean {
  return ports.capabilities.verdict(endpoint.id, modelId, LONG_CONTEXT_BETA) === 'supported'
}

function toEntry(mapping: ModelMapping, suffix: '' | '[1m]'): ModelEntry {
  return {
    type: 'model',
    id: `${mapping.vendorPrefix}${suffix}`,
    display_name: suffix === '' ? mapping.displayName : `${mapping.displayName} (1M context)`,
    created_at: mapping.createdAt,
    ...(mapping.contextWindow === null ? {} : { max_input_tokens: mapping.contextWindow }),
    ...(mapping.maxOutputTokens === null ? {} : { max_tokens: mapping.maxOutputTokens }),
  }
}

const MAX_LIMIT = 1000

function page(models: readonly ModelEntry[], query: URLSearchParams): object {
  const limitText = query.get('limit') ?? String(MAX_LIMIT)
  const limit = Number(limitText)
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > MAX_LIMIT)
    throw problem('invalid_parameter', { name: 'limit', reason: `must be a whole number from 1 to ${MAX_LIMIT}` })
  const [afterId, beforeId] = [query.get('after_id'), query.get('before_id')]
  let data: readonly ModelEntry[]
  let hasMore: boolean
  if (beforeId !== null) {
    const before = models.slice(0, positionOf(models, beforeId, 'before_id'))
    data = before.slice(-limit)
    hasMore = before.length > limit
  } else {
    const rest = afterId === null ? models : models.slice(positionOf(models, afterId, 'after_id') + 1)
    data = rest.slice(0, limit)
    hasMore = rest.length > limit
  }
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

function positionOf(models: readonly ModelEntry[], id: string, name: string): number {
  const position = models.findIndex((model) => model.id === id)
  if (position < 0) throw problem('invalid_parameter', { name, reason: 'is not the id of a model in this list' })
  return position
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
