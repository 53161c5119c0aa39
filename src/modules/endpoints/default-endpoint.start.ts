/** On the first start makes one endpoint of the gateway's own region and sets it default (spec: Rules 5). */
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { startupActor } from '../../foundation/database/startup-actor.ts'
import { type Endpoint, routingPrefixOfRegion } from '../../foundation/domain/endpoint.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createEndpointStore } from './endpoints.store.ts'

interface EndpointParts {
  readonly database: Database
  readonly region: string
  readonly log: Logger
}

export async function createDefaultEndpoint({ database, region, log }: EndpointParts): Promise<Endpoint | undefined> {
  if ((await createEndpointStore(database.kysely).list()).length > 0) return undefined
  return await change(database, { sections: ['endpoints'], actor: startupActor }, async ({ tx, audit }) => {
    const added = await createEndpointStore(tx).insertFirst({
      name: region,
      region,
      routingPrefix: routingPrefixOfRegion(region),
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
