/** Every route of the control plane that deals with endpoints, models and capabilities: one explicit list. */
import type { Route } from '../foundation/http/route.ts'
import { aipOverrideRoutes } from '../modules/endpoints/aip-overrides.routes.ts'
import { capabilityRoutes } from '../modules/endpoints/capabilities.routes.ts'
import { drainRoute } from '../modules/endpoints/drain.route.ts'
import { endpointFactRoutes } from '../modules/endpoints/endpoint-facts.routes.ts'
import type { EndpointPorts } from '../modules/endpoints/endpoint-ports.ts'
import { endpointRoutes } from '../modules/endpoints/endpoints.routes.ts'
import { teamRoutingRoutes } from '../modules/endpoints/team-routing.routes.ts'
import { modelMappingRoutes } from '../modules/models/model-mappings.routes.ts'
import { resolveModelRoute } from '../modules/models/resolve-model.route.ts'
import { readEndpointMinutes } from '../modules/spend/usage/endpoint-minutes.store.ts'

export function endpointControlRoutes(ports: EndpointPorts): Route[] {
  return [
    ...endpointRoutes(ports),
    ...endpointFactRoutes(ports),
    drainRoute({ ...ports, readEndpointMinutes }),
    ...aipOverrideRoutes(ports),
    ...teamRoutingRoutes(ports),
    ...modelMappingRoutes(ports),
    resolveModelRoute(ports),
    ...capabilityRoutes(ports),
  ]
}
