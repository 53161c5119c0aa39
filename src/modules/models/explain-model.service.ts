/** Follows a requested model id through the same decisions as a call, and says what each of them found. */

import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { findBedrockArnParts, findFoundationModelId, isHostedForm } from '../../foundation/domain/model-id.ts'
import type { ModelMapping } from '../../foundation/domain/model-mapping.ts'
import type { ResolvedModel } from '../../message-path/call.ts'
import { findByOverrideName } from '../../message-path/mapped-model.ts'
import type { PathPorts } from '../../message-path/path-ports.ts'
import { choicesOn, findListedAlias, mappingFinder } from '../../message-path/resolve-model/discover.ts'
import { findConfiguredArn, findNamedModel } from '../../message-path/resolve-model/named-model.ts'
import { findByDatedAlias, isDatedName, splitContextSuffix } from '../../message-path/resolve-model/requested-name.ts'
import { type ProfileChoice, selectProfile } from '../../message-path/resolve-model/select-profile.ts'
import { findTarget } from '../../message-path/route/target.ts'
import type { ModelExplanation } from './model-ports.ts'

type ExplainPorts = Pick<PathPorts, 'snapshot' | 'profiles' | 'mappings' | 'conditions' | 'clock'>
type Step = ModelExplanation['steps'][number]
type Found = Pick<ResolvedModel, 'hostedModelId' | 'namedTarget'>

export async function explainModel(
  model: string,
  endpoint: Endpoint | undefined,
  ports: ExplainPorts,
): Promise<ModelExplanation> {
  const enabled = [...ports.snapshot.current().endpoints.values()].filter((other) => other.enabled)
  const endpoints = endpoint === undefined ? enabled : [endpoint]
  const split = splitContextSuffix(model)
  const steps: Step[] = [
    {
      step: 'long-context suffix',
      matched: split.longContext,
      detail: split.longContext
        ? `[1m] asks for the long-context beta; the model is ${split.logicalId}`
        : 'the id has no [1m] at its end',
    },
  ]
  const found = await findModel(split.logicalId, endpoints, steps, ports)
  return {
    hostedModelId: found?.hostedModelId ?? null,
    longContext: split.longContext,
    steps,
    endpoints: found === undefined ? [] : endpoints.map((one) => placeOn(one, found, split.logicalId, ports)),
  }
}

async function findModel(
  logicalId: string,
  endpoints: readonly Endpoint[],
  steps: Step[],
  ports: ExplainPorts,
): Promise<Found | undefined> {
  const findMapping = mappingFinder(ports)
  const mapping = findMapping(logicalId)
  steps.push({ step: 'mapping', matched: mapping !== undefined, detail: wordsOfMapping(logicalId, mapping) })
  if (mapping !== undefined) return foundBy(mapping, endpoints, ports)
  const isDated = isDatedName(logicalId)
  const listed = isDated ? await discoverOn(logicalId, endpoints, steps, ports) : undefined
  if (listed?.found !== undefined) return listed.found
  const aliased = findByDatedAlias(logicalId, findMapping)
  steps.push({
    step: 'dated alias',
    matched: aliased !== undefined,
    detail:
      aliased === undefined
        ? 'there is no date at the end, no mapping of the name without it, or that means a model of another date'
        : `without its date it is ${aliased.vendorPrefix}, which means ${aliased.hostedModelId}`,
  })
  if (aliased !== undefined) return foundBy(aliased, endpoints, ports)
  const overridden = findByOverrideName(logicalId, endpoints, ports.profiles)
  if (overridden !== undefined) {
    const detail = `an override has this name, and behind its profile is ${overridden.hostedModelId}`
    steps.push({ step: 'override', matched: true, detail })
    return foundBy(overridden, endpoints, ports)
  }
  if (isHostedForm(logicalId)) {
    const named = findNamedModel(logicalId, endpoints, {
      availableModels: ports.profiles.availableModels,
      modelBehind: ports.profiles.modelBehind,
      findMapping,
    })
    steps.push({
      step: 'id of the hosted service',
      matched: named !== undefined,
      detail: named === undefined ? 'no endpoint offers exactly this' : `it names ${named.hostedModelId} itself`,
    })
    return named
  }
  if (listed === undefined) return (await discoverOn(logicalId, endpoints, steps, ports)).found
  const alias = findListedAlias(logicalId, listed.choices, ports)
  steps.push({
    step: 'dated alias in discovery',
    matched: alias !== undefined,
    detail:
      alias === undefined
        ? 'no endpoint lists the model without its date, or only with another date'
        : `without its date it is ${alias.vendorPrefix}, and discovery found ${alias.hostedModelId} for it`,
  })
  return alias === undefined ? undefined : foundBy(alias, endpoints, ports)
}

function wordsOfMapping(logicalId: string, mapping: ModelMapping | undefined): string {
  if (mapping === undefined) return `no mapping has exactly the key ${logicalId}`
  return `the ${mapping.source} row ${mapping.vendorPrefix} means ${mapping.hostedModelId}`
}

function foundBy({ hostedModelId }: ModelMapping, endpoints: readonly Endpoint[], ports: ExplainPorts): Found {
  if (findBedrockArnParts(hostedModelId)?.kind !== 'application-inference-profile')
    return { hostedModelId: findFoundationModelId(hostedModelId) ?? hostedModelId, namedTarget: null }
  const configured = findConfiguredArn(hostedModelId, endpoints, {
    modelBehind: ports.profiles.modelBehind,
    findMapping: mappingFinder(ports),
  })
  return configured ?? { hostedModelId, namedTarget: hostedModelId }
}

interface Listed {
  readonly found: Found | undefined
  readonly choices: readonly ProfileChoice[]
}

async function discoverOn(
  logicalId: string,
  endpoints: readonly Endpoint[],
  steps: Step[],
  ports: ExplainPorts,
): Promise<Listed> {
  const answers = await Promise.all(endpoints.map((endpoint) => choicesOn(endpoint, ports)))
  const choices = answers.flatMap((answer) => answer.choices)
  const silent = answers.filter(({ listed }) => !listed).length
  const selection = selectProfile(logicalId, choices)
  const asked = `${choices.length} profiles of ${endpoints.length - silent} endpoints were looked through`
  const silence = silent === 0 ? '' : `; ${silent} could not be asked`
  steps.push({
    step: 'discovery',
    matched: selection !== undefined,
    detail:
      selection === undefined
        ? `no pass found it: ${asked}${silence}`
        : `the pass "${selection.pass}" found ${selection.hostedModelId}: ${asked}${silence}`,
  })
  const found = selection === undefined ? undefined : { hostedModelId: selection.hostedModelId, namedTarget: null }
  return { found, choices }
}

function placeOn(
  endpoint: Endpoint,
  found: Found,
  logicalId: string,
  ports: ExplainPorts,
): ModelExplanation['endpoints'][number] {
  const target = findTarget(
    endpoint,
    { ...found, requestedId: logicalId, logicalId, longContext: false, mapping: null },
    { availableModels: ports.profiles.availableModels, findMapping: mappingFinder(ports) },
  )
  const isChecked = ports.profiles.availableModels(endpoint.id) !== undefined
  return {
    endpointId: endpoint.id,
    name: endpoint.name,
    healthStatus: ports.conditions.findHealth(endpoint.id),
    invokedId: target?.modelId ?? null,
    via: target?.via ?? null,
    detail:
      target === undefined
        ? `it has no profile of this model with the prefix ${endpoint.routingPrefix}`
        : `invoked as ${target.modelId}${isChecked ? '' : ', if it is there: nothing has been listed yet'}`,
  }
}
