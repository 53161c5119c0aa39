/** Joins the live feed with what it tells about and with those who may watch. */

import type { Database } from '../../foundation/database/database.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { ServerParts } from '../../foundation/http/server.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { EndpointPorts } from '../endpoints/endpoint-ports.ts'
import { requireAccess } from '../sign-in/roles.ts'
import { createLiveFeed, type LiveFeed } from './live-feed.memory.ts'
import type { EventPorts } from './live-ports.ts'
import { createRecentEvents } from './recent-events.store.ts'

export interface LiveParts {
  readonly findDatabase: () => Database | undefined
  readonly snapshot: () => Snapshot
  readonly findCondition: EndpointPorts['findCondition']
  readonly authenticate: ServerParts['authenticate']
  readonly log: Logger
}

export interface Live extends Pick<LiveFeed, 'stored' | 'stop'> {
  readonly ports: EventPorts['live']
}

export function createLive(parts: LiveParts): Live {
  const feed = createLiveFeed({
    readRecent: (sinceMs) => {
      const database = parts.findDatabase()
      return database === undefined ? undefined : createRecentEvents(database.kysely).read(sinceMs)
    },
    endpoints: () => [...parts.snapshot().endpoints.values()],
    findHealth: (endpointId) => parts.findCondition(endpointId),
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
