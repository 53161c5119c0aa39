/** Decides which hosted model a requested id means: mapping, dated alias, the name of an override, an id of the hosted service itself, discovery. Equality only. */
import { type Caller, mayCallModel } from '../../domain/caller.ts'
import type { Endpoint } from '../../domain/endpoint.ts'
import { type Problem, problem } from '../../domain/errors.ts'
import { isHostedForm, MODEL_ID_MAX_LENGTH, modelIdForText } from '../../domain/model-id.ts'
import type { ModelMapping } from '../../domain/model-mapping.ts'
import type { Admitted, Resolved } from '../context.ts'
import { modelOfMapping } from '../mapped-model.ts'
import { findByOverrideName } from '../override-name.ts'
import { splitContextSuffix } from './context-suffix.ts'
import { findByDatedAlias } from './dated-alias.ts'
import { type DiscoverPorts, discover, mayDiscover } from './discover.ts'
import { findConfiguredArn, findNamedModel } from './named-model.ts'

export interface ResolvePorts extends DiscoverPorts {
  /** Enabled endpoints that the caller's team may use. */
  readonly reachableEndpoints: (caller: Caller) => readonly Endpoint[]
}

/** A promise only when the hosted service has to be asked: known models must not wait a turn of the event loop. */
export function resolveModel(call: Admitted, requestedId: string, ports: ResolvePorts): Resolved | Promise<Resolved> {
  const split = splitContextSuffix(requestedId)
  const { logicalId } = split
  if (requestedId.length > MODEL_ID_MAX_LENGTH || !mayCallModel(call.caller, requestedId, logicalId)) {
    throw notAvailable(requestedId)
  }
  const findMapping = mappingFinder(ports)
  const mapping =
    findMapping(logicalId) ??
    findByDatedAlias(logicalId, findMapping) ??
    findByOverrideName(logicalId, ports.reachableEndpoints(call.caller), ports.profiles)
  if (mapping !== undefined) {
    const model = modelOfMapping(requestedId, split, mapping)
    if (model.namedTarget === null) return { ...call, model }
    // An application profile does not name its model, and what a call costs goes by the model.
    const behind = findConfiguredArn(model.namedTarget, ports.reachableEndpoints(call.caller), {
      modelBehind: ports.profiles.modelBehind,
      findMapping,
    })
    return { ...call, model: { ...model, ...behind } }
  }

  const endpoints = ports.reachableEndpoints(call.caller)
  if (endpoints.length === 0) throw problem('no_endpoint')
  if (isHostedForm(logicalId)) {
    const { availableModels, modelBehind } = ports.profiles
    const named = findNamedModel(logicalId, endpoints, { availableModels, modelBehind, findMapping })
    if (named === undefined) throw notAvailable(requestedId)
    return { ...call, model: { requestedId, ...split, ...named, mapping: null } }
  }
  if (!mayDiscover(logicalId, endpoints, ports)) throw notAvailable(requestedId)
  return discover(logicalId, endpoints, ports).then((found) => {
    if (found === undefined) throw notAvailable(requestedId)
    return { ...call, model: modelOfMapping(requestedId, split, found) }
  })
}

/** Exact equality of the whole id, first what administrators and all instances know, then what this one has just found. */
function mappingFinder(ports: DiscoverPorts): (id: string) => ModelMapping | undefined {
  const { mappings } = ports.snapshot.current()
  return (id) => mappings.get(id) ?? ports.mappings.findDiscovered(id)
}

function notAvailable(requestedId: string): Problem {
  return problem('model_not_available', { model: modelIdForText(requestedId) })
}
