/** Every route of the control plane that deals with endpoints, models and capabilities: one explicit list. */
import type { Route } from '../http/route.ts'
import { aipOverrideRoutes } from './aip-overrides/aip-overrides.routes.ts'
import { capabilityRoutes } from './capabilities/capabilities.routes.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { drainRoute } from './endpoints/drain.route.ts'
import { endpointFactRoutes } from './endpoints/endpoint-facts.routes.ts'
import { endpointRoutes } from './endpoints/endpoints.routes.ts'
import { modelMappingRoutes } from './model-mappings/model-mappings.routes.ts'
import { resolveModelRoute } from './model-mappings/resolve-model.route.ts'
import { teamRoutingRoutes } from './team-routing/team-routing.routes.ts'

export function endpointControlRoutes(ports: EndpointPorts): Route[] {
  return [
    ...endpointRoutes(ports),
    ...endpointFactRoutes(ports),
    drainRoute(ports),
    ...aipOverrideRoutes(ports),
    ...teamRoutingRoutes(ports),
    ...modelMappingRoutes(ports),
    resolveModelRoute(ports),
    ...capabilityRoutes(ports),
  ]
}
