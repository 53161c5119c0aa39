/** Reconciliation: compares the recorded costs with the AWS bill. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { reconciliationRoute } from './reconciliation.route.ts'

export function createExtension(core: Core): Extension {
  return { routes: listRoutes(core), loops: [] }
}

export function listRoutes(ports: RoutePorts): readonly Route[] {
  return [reconciliationRoute(ports)]
}
