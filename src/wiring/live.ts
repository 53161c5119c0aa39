/** Joins the live feed with what it tells about and with those who may watch. */
import type { ControlPorts } from '../control-plane/control-ports.ts'
import type { EndpointPorts } from '../control-plane/endpoint-ports.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { ServerParts } from '../http/server.ts'
import { requireAccess } from '../identity/roles.ts'
import type { Logger } from '../platform/logger.ts'
import { createLiveFeed, type LiveFeed } from '../state/live-feed.ts'
import type { Database } from '../stores/database.ts'
import { createRecentEvents } from '../stores/recent-events.ts'

export interface LiveParts {
  readonly findDatabase: () => Database | undefined
  readonly snapshot: () => Snapshot
  readonly conditionOf: EndpointPorts['conditionOf']
  readonly authenticate: ServerParts['authenticate']
  readonly log: Logger
}

export interface Live extends Pick<LiveFeed, 'stored' | 'stop'> {
  readonly ports: ControlPorts['live']
}

export function createLive(parts: LiveParts): Live {
  const feed = createLiveFeed({
    readRecent: (sinceMs) => {
      const database = parts.findDatabase()
      return database === undefined ? undefined : createRecentEvents(database.kysely).read(sinceMs)
    },
    endpoints: () => [...parts.snapshot().endpoints.values()],
    healthOf: (endpointId) => parts.conditionOf(endpointId),
    nowMs: Date.now,
    onError: (error) => parts.log.warn({ err: error }, 'the live feed could not be read'),
  })
  return {
    stored: feed.stored,
    stop: feed.stop,
    ports: {
      watch: feed.watch,
      mayStillWatch: async (rule, headers, scheme) => {
        requireAccess(rule, await parts.authenticate(headers, { method: 'GET', scheme }))
        return true
      },
    },
  }
}
