/** Every route of the gateway, in one list: the server registers it, the API description is made from it. */

import { healthRoutes } from '../foundation/http/health.routes.ts'
import { metricsRoute } from '../foundation/http/metrics.route.ts'
import { openApiDocument } from '../foundation/http/openapi.ts'
import type { Route } from '../foundation/http/route.ts'
import type { Secret } from '../foundation/platform/secret.ts'
import type { EndpointPorts } from '../modules/endpoints/endpoint-ports.ts'
import { type LoginPorts, passwordRoutes } from '../modules/sign-in/login/password.routes.ts'
import { controlRoutes, type RegisteredPorts } from './register.ts'
import { endpointControlRoutes } from './register-endpoints.ts'
import { scimRoutes } from './register-scim.ts'
import { type SignInPorts, signInRoutes } from './register-sign-in.ts'

export interface RouteParts {
  readonly version: string
  readonly whyNotReady: () => string | undefined
  readonly scrape: () => Promise<string>
  readonly metricsToken: Secret | null
  readonly login: LoginPorts
  readonly control: RegisteredPorts & EndpointPorts
  readonly messageRoutes: readonly Route[]
  readonly signIn: SignInPorts
}

export function allRoutes(parts: RouteParts): readonly Route[] {
  let description: object | undefined
  const routes: Route[] = [
    ...parts.messageRoutes,
    ...passwordRoutes(parts.login),
    ...signInRoutes(parts.signIn),
    ...controlRoutes(parts.control),
    ...endpointControlRoutes(parts.control),
    ...scimRoutes({ ...parts.control, baseUrlOf: parts.signIn.baseUrlOf, log: parts.signIn.log }),
    metricsRoute(parts.scrape, parts.metricsToken),
    ...healthRoutes({
      version: parts.version,
      whyNotReady: parts.whyNotReady,
      apiDescription: () => (description ??= openApiDocument(routes, parts.version)),
    }),
  ]
  return routes
}
