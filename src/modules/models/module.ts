/** Models: what a requested name maps to, what has been discovered, and what tokens cost. */
import { seedMappings, seedPrices } from '../../foundation/domain/model-seed.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Loop } from '../../foundation/platform/loops.ts'
import type { MappingMemory, TokenCalibration } from '../../message-path/ports.ts'
import type { EndpointMemory } from '../endpoints/module.ts'
import { explainModel } from './explain-model.service.ts'
import { createKeepMapping } from './keep-mapping.service.ts'
import { createMappingMemory } from './model-mappings.memory.ts'
import { modelMappingRoutes } from './model-mappings.routes.ts'
import type { ModelPorts } from './model-ports.ts'
import seed from './model-seed.json' with { type: 'json' }
import { createPricing, type Pricing, type PricingParts } from './pricing.loop.ts'
import { type PricingPorts, pricingRoutes } from './pricing.routes.ts'
import { resolveModelRoute } from './resolve-model.route.ts'
import { seedModels } from './seed-models.start.ts'
import { createTokenCalibration } from './token-calibration.memory.ts'

export interface ModelParts
  extends Pick<PricingParts, 'region' | 'listBase' | 'isRefreshEnabled' | 'refreshIntervalSeconds'> {
  /** Brings the snapshot up to date and fails when it cannot. */
  readonly reload: () => Promise<void>
  readonly endpoints: Pick<EndpointMemory, 'profiles' | 'conditions'>
  /** False for tests that count requests: the first refresh then waits for its interval. */
  readonly refreshesAtStart: boolean
}

export interface Models extends Module {
  readonly mappings: MappingMemory
  readonly calibration: TokenCalibration
  readonly pricing: Pick<Pricing, 'listAgeMs' | 'refreshedAtMs'>
}

export function createModels(core: Core, parts: ModelParts): Models {
  const { link, snapshot, clock, log } = core
  const { endpoints } = parts
  const mappings = createMappingMemory(clock, createKeepMapping(link, parts.reload, log))
  const pricing = createPricing({ ...core, ...parts, seed })
  const ports = { clock, mappings, ...endpoints, snapshot: { current: snapshot } }
  return {
    mappings,
    calibration: createTokenCalibration(),
    pricing,
    routes: listModelRoutes({
      ...core,
      explainModel: (model, endpoint) => explainModel(model, endpoint, ports),
      refreshPrices: pricing.refresh,
    }),
    loops: priceLoop(pricing, parts.refreshesAtStart),
    seed: (database) => seedModels({ database, log, seed: builtInModels(core.startedAt) }),
  }
}

/** The mappings and prices that every gateway begins with. */
export function builtInModels(createdAt: string) {
  return { mappings: seedMappings(seed, createdAt), prices: seedPrices(seed, createdAt) }
}

export function listModelRoutes(ports: ModelPorts & PricingPorts): readonly Route[] {
  return [...modelMappingRoutes(ports), resolveModelRoute(ports), ...pricingRoutes(ports)]
}

function priceLoop({ loop }: Pricing, startsAtOnce: boolean): readonly Loop[] {
  if (loop === undefined) return []
  return [{ name: 'price-refresh', retryMs: 600_000, ...loop, ...(startsAtOnce ? { firstMs: 0 } : {}) }]
}
