/** What-if: what a range would have cost with another model. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Analytics } from '../../modules/analytics/module.ts'
import { type WhatIfPorts, whatIfRoute } from './what-if.route.ts'

interface Parts {
  readonly analytics: Pick<Analytics, 'readQuestion'>
}

export function createExtension(core: Core, { analytics }: Parts): Extension {
  return { routes: listRoutes({ ...core, readQuestion: analytics.readQuestion }), loops: [] }
}

export function listRoutes(ports: WhatIfPorts): readonly Route[] {
  return [whatIfRoute(ports)]
}
