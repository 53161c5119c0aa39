/** On the first start makes one endpoint of the gateway's own region and sets it default (spec: Rules 5). */
import type { Config } from '../config/config.ts'
import { type Endpoint, routingPrefixOfRegion } from '../domain/endpoint.ts'
import type { Logger } from '../platform/logger.ts'
import { change } from '../stores/change.ts'
import type { Database } from '../stores/database.ts'
import { createEndpointStore } from '../stores/endpoints.ts'
import { startupActor } from './startup-actor.ts'

interface EndpointParts {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
}

export async function createDefaultEndpoint({ database, config, log }: EndpointParts): Promise<Endpoint | undefined> {
  if ((await createEndpointStore(database.kysely).list()).length > 0) return undefined
  return await change(database, { sections: ['endpoints'], actor: startupActor }, async ({ tx, audit }) => {
    const added = await createEndpointStore(tx).insertFirst({
      name: config.region,
      region: config.region,
      routingPrefix: routingPrefixOfRegion(config.region),
      priority: 1,
      enabled: true,
      roleArn: null,
      externalId: null,
      inferenceProfileArn: null,
    })
    if (added === undefined) return undefined
    audit({
      action: 'endpoint.create',
      target: `endpoint:${added.id}`,
      after: { name: added.name, region: added.region },
    })
    log.info(
      { endpoint: added.id, region: added.region, prefix: added.routingPrefix },
      'the first endpoint was created',
    )
    return added
  })
}
