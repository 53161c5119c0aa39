/** Decides which hosted model a requested id means: mapping, dated alias, override name, Amazon Bedrock id, discovery. For dated names, discovery runs before the alias. Equality only. */
import { type Caller, mayCallModel } from '../../foundation/domain/caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { type Problem, problem } from '../../foundation/domain/errors.ts'
import { isHostedForm, MODEL_ID_MAX_LENGTH, modelIdForText } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { ResolvedModel } from '../call.ts'
import { findByOverrideName, modelOfMapping } from '../mapped-model.ts'
import { type DiscoverPorts, discover, mappingFinder, mayDiscover } from './discover.ts'
import { findConfiguredArn, findNamedModel } from './named-model.ts'
import { findByDatedAlias, isDatedName, splitContextSuffix } from './requested-name.ts'

export interface ResolvePorts extends DiscoverPorts {
  /** Enabled endpoints that the caller's team may use. */
  readonly reachableEndpoints: (caller: Caller) => readonly Endpoint[]
}

/** A promise only when the hosted service has to be asked: known models must not wait a turn of the event loop. */
export function resolveModel(
  caller: Caller,
  requestedId: string,
  ports: ResolvePorts,
): ResolvedModel | Promise<ResolvedModel> {
  const split = splitContextSuffix(requestedId)
  const { logicalId } = split
  if (requestedId.length > MODEL_ID_MAX_LENGTH || !mayCallModel(caller, requestedId, logicalId)) {
    throw notAvailable(requestedId)
  }
  const findMapping = mappingFinder(ports)
  const mapping = findMapping(logicalId)
  if (mapping !== undefined) return resolveMapping(caller, requestedId, mapping, ports)

  const endpoints = ports.reachableEndpoints(caller)
  const findOtherName = (): ModelMapping | undefined =>
    findByDatedAlias(logicalId, findMapping) ?? findByOverrideName(logicalId, endpoints, ports.profiles)
  // Amazon Bedrock might have the dated model itself, which comes before its undated neighbor.
  const isAskedFirst = isDatedName(logicalId) && mayDiscover(logicalId, endpoints, ports)
  const named = isAskedFirst ? undefined : findOtherName()
  if (named !== undefined) return resolveMapping(caller, requestedId, named, ports)
  if (endpoints.length === 0) throw problem('no_endpoint')
  if (isHostedForm(logicalId)) {
    const { availableModels, modelBehind } = ports.profiles
    const hosted = findNamedModel(logicalId, endpoints, { availableModels, modelBehind, findMapping })
    if (hosted === undefined) throw notAvailable(requestedId)
    return { requestedId, ...split, ...hosted, mapping: null }
  }
  if (!isAskedFirst && !mayDiscover(logicalId, endpoints, ports)) throw notAvailable(requestedId)
  return discover(logicalId, endpoints, ports).then((discovery) => {
    const found = discovery.mapping ?? findOtherName() ?? discovery.alias
    if (found !== undefined) return resolveMapping(caller, requestedId, found, ports)
    if (discovery.isAnswered) throw notAvailable(requestedId)
    // A model that may exist is not "not found" because no endpoint could be asked; the client may try again.
    throw problem('no_endpoint', {}, { headers: { 'retry-after': '30' } })
  })
}

function resolveMapping(
  caller: Caller,
  requestedId: string,
  mapping: ModelMapping,
  ports: ResolvePorts,
): ResolvedModel {
  const model = modelOfMapping(requestedId, splitContextSuffix(requestedId), mapping)
  if (model.namedTarget === null) return model
  // An application profile does not name its model, and what a call costs goes by the model.
  const behind = findConfiguredArn(model.namedTarget, ports.reachableEndpoints(caller), {
    modelBehind: ports.profiles.modelBehind,
    findMapping: mappingFinder(ports),
  })
  return { ...model, ...behind }
}

function notAvailable(requestedId: string): Problem {
  return problem('model_not_available', { model: modelIdForText(requestedId) })
}
