/** Saved views: each user names views of reports and of the request log, and opens them again. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { ownViewRoutes } from './own-views.routes.ts'

export function createExtension(core: Core): Extension {
  return { routes: listRoutes(core), loops: [] }
}

export function listRoutes(ports: RoutePorts): readonly Route[] {
  return ownViewRoutes(ports)
}
