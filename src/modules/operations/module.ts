/** Operations: the state of the instances, logs, live events, the audit log, and who was last seen. */

import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { ServerParts } from '../../foundation/http/server.ts'
import type { EndpointPorts } from '../endpoints/endpoint-ports.ts'
import { auditRoutes } from './audit.routes.ts'
import { eventsRoute } from './events.route.ts'
import { healthHistoryRoute } from './health-history.route.ts'
import { createLive } from './live.service.ts'
import type { LiveFeed } from './live-feed.memory.ts'
import type { EventPorts } from './live-ports.ts'
import { logRoute } from './log.route.ts'
import { recountRoute } from './recount.route.ts'
import { createSightings, type Sightings } from './sightings.service.ts'
import { statusRoutes } from './status.routes.ts'
import { createInstanceStatus, type InstanceStatusParts } from './status.service.ts'
import type { StatusPorts } from './status-ports.ts'

export interface OperationParts
  extends Pick<
    InstanceStatusParts,
    'spendStatus' | 'inFlight' | 'loopStates' | 'pricesRefreshedAtMs' | 'recentLog' | 'endpointStats'
  > {
  readonly findCondition: EndpointPorts['findCondition']
  /** Looks at the credential of somebody who watches live events again. */
  readonly authenticate: ServerParts['authenticate']
}

export interface Operations extends Module {
  readonly sightings: Omit<Sightings, 'flush'>
  /** For those who watch live events. */
  readonly onStored: LiveFeed['stored']
  /** Tells the database that this instance is there. */
  readonly report: () => Promise<void>
  /** Ends the streams of live events, which have no end of their own. */
  readonly endStreams: () => void
}

export function createOperations(core: Core, parts: OperationParts): Operations {
  const { link } = core
  const sightings = createSightings(link, core.log)
  const live = createLive({ ...core, ...parts, findDatabase: link.find })
  const status = createInstanceStatus({ ...core, ...parts })
  return {
    sightings,
    onStored: live.stored,
    report: status.report,
    endStreams: live.stop,
    routes: listOperationRoutes({ ...core, status: status.facts, live: live.ports }),
    loops: [
      { name: 'instance-report', intervalMs: 5_000, jitter: 0.1, run: status.report },
      { name: 'sightings', intervalMs: 2_000, jitter: 0.2, run: sightings.flush },
    ],
    stop: status.withdraw,
  }
}

export function listOperationRoutes(ports: EventPorts & StatusPorts): readonly Route[] {
  return [
    ...auditRoutes(ports),
    ...statusRoutes(ports),
    healthHistoryRoute(ports),
    logRoute(ports),
    recountRoute(ports),
    eventsRoute(ports),
  ]
}
