/** The models a caller may use, from memory: exact client ids on endpoints that the caller's team may reach. */
import { type Caller, isGivenModel, mayCallModel } from '../foundation/domain/caller.ts'
import { LONG_CONTEXT_BETA, LONG_CONTEXT_TOKENS } from '../foundation/domain/capability.ts'
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { invalidParameter, problem } from '../foundation/domain/errors.ts'
import { modelIdForText } from '../foundation/domain/model-id.ts'
import type { ModelMapping } from '../foundation/domain/model-mapping.ts'
import { type RawRoute, rawRoute } from '../foundation/http/route.ts'
import { defined } from '../foundation/platform/defined.ts'
import { answeringCaller } from './caller-route.ts'
import { findByOverrideName, modelOfMapping } from './mapped-model.ts'
import { messagesDialect } from './messages-dialect.ts'
import type { PathPorts } from './path-ports.ts'
import { findTarget } from './route/target.ts'
import { reachableEndpoints } from './route/usable-endpoints.ts'

type ModelPorts = Pick<
  PathPorts,
  'snapshot' | 'profiles' | 'mappings' | 'capabilities' | 'authenticate' | 'whyNotReady' | 'log' | 'onModelsListed'
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
  return [
    rawRoute({
      ...shared,
      path: '/v1/models',
      summary: 'List the models you can use',
      description: 'Query: `limit` (1 to 1000, default 1000), `after_id`, `before_id`.',
      answers: { 200: { text: 'A page of models' } },
      handle: answeringCaller(ports, messagesDialect, (caller, query) => {
        const listed = page(listModels(caller, ports), query)
        ports.onModelsListed(caller)
        return listed
      }),
    }),
    rawRoute({
      ...shared,
      path: '/v1/models/{id}',
      summary: 'One model',
      answers: { 200: { text: 'The model' }, 404: { text: 'Not available to you' } },
      handle: answeringCaller(ports, messagesDialect, (caller, _query, { params }) => {
        const id = params['id'] ?? ''
        const found = listModels(caller, ports).find((model) => model.id === id)
        if (found === undefined) throw problem('model_not_available', { model: modelIdForText(id) })
        return found
      }),
    }),
  ]
}

function listModels(caller: Caller, ports: ModelPorts): ModelEntry[] {
  const snapshot = ports.snapshot.current()
  const endpoints = reachableEndpoints(snapshot, caller)
  const found: ModelEntry[] = []
  const all = [...snapshot.mappings.values(), ...overrideNames(endpoints, ports)]
  const sorted = all.sort((a, b) => (a.vendorPrefix < b.vendorPrefix ? -1 : 1))
  for (const mapping of sorted) {
    const { vendorPrefix } = mapping
    if (!mayCallModel(caller, vendorPrefix, vendorPrefix)) continue
    const targets = listTargets(mapping, endpoints, ports)
    if (targets.length === 0) continue
    // A key may be given the long-context variant alone.
    if (isGivenModel(caller, vendorPrefix)) found.push(toEntry(mapping, ''))
    const isLong = targets.some(({ endpoint, modelId }) => isLongContext(mapping, endpoint, modelId, ports))
    if (isLong) found.push(toEntry(mapping, '[1m]'))
  }
  return found
}

/** Names that only overrides have. */
function overrideNames(endpoints: readonly Endpoint[], { snapshot, profiles }: ModelPorts): ModelMapping[] {
  const { mappings } = snapshot.current()
  const names = new Set(endpoints.flatMap(({ aipOverrides }) => aipOverrides.map(({ modelId }) => modelId)))
  return [...names].flatMap((name) => (mappings.has(name) ? [] : (findByOverrideName(name, endpoints, profiles) ?? [])))
}

function listTargets(mapping: ModelMapping, endpoints: readonly Endpoint[], ports: ModelPorts) {
  const { mappings } = ports.snapshot.current()
  const { vendorPrefix } = mapping
  const model = modelOfMapping(vendorPrefix, { logicalId: vendorPrefix, longContext: false }, mapping)
  const targetPorts = {
    availableModels: ports.profiles.availableModels,
    findMapping: (id: string) => mappings.get(id) ?? ports.mappings.findDiscovered(id),
  }
  return endpoints.flatMap((endpoint) => findTarget(endpoint, model, targetPorts) ?? [])
}

/** Models with a small window take the beta too and ignore it: only an administrator's word counts more than the window. */
function isLongContext({ contextWindow }: ModelMapping, { id }: Endpoint, modelId: string, ports: ModelPorts): boolean {
  if (ports.capabilities.verdict(id, modelId, LONG_CONTEXT_BETA) !== 'supported') return false
  if (contextWindow === null || contextWindow >= LONG_CONTEXT_TOKENS) return true
  return ports.snapshot
    .current()
    .capabilityOverrides.some(
      (said) => said.endpointId === id && said.profileId === modelId && said.feature === LONG_CONTEXT_BETA,
    )
}

function toEntry(mapping: ModelMapping, suffix: '' | '[1m]'): ModelEntry {
  const window = suffix === '' ? mapping.contextWindow : Math.max(mapping.contextWindow ?? 0, LONG_CONTEXT_TOKENS)
  return {
    type: 'model',
    id: `${mapping.vendorPrefix}${suffix}`,
    display_name: suffix === '' ? mapping.displayName : `${mapping.displayName} (1M context)`,
    created_at: mapping.createdAt,
    ...defined({ max_input_tokens: window ?? undefined, max_tokens: mapping.maxOutputTokens ?? undefined }),
  }
}

const MAX_LIMIT = 1000

function page(models: readonly ModelEntry[], query: URLSearchParams): object {
  const limitText = query.get('limit') ?? String(MAX_LIMIT)
  const limit = Number(limitText)
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > MAX_LIMIT)
    throw invalidParameter('limit', `must be a whole number from 1 to ${MAX_LIMIT}`)
  const [afterId, beforeId] = [query.get('after_id'), query.get('before_id')]
  let data: readonly ModelEntry[]
  let hasMore: boolean
  if (beforeId !== null) {
    const before = models.slice(0, findPosition(models, beforeId, 'before_id'))
    data = before.slice(-limit)
    hasMore = before.length > limit
  } else {
    const rest = afterId === null ? models : models.slice(findPosition(models, afterId, 'after_id') + 1)
    data = rest.slice(0, limit)
    hasMore = rest.length > limit
  }
  return { data, has_more: hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}

function findPosition(models: readonly ModelEntry[], id: string, name: string): number {
  const position = models.findIndex((model) => model.id === id)
  if (position < 0) throw invalidParameter(name, 'is not the id of a model in this list')
  return position
}
