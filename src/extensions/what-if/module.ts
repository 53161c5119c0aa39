/** What-if: what a range would have cost with another model. */
import { type WhatIfPorts, whatIfRoute } from './what-if.route.ts'

export function createWhatIf(ports: WhatIfPorts) {
  return { routes: [whatIfRoute(ports)], loops: [] }
}
