/** What provisioning needs from the rest of the gateway, and the one way in which it writes. */

import type { Actor } from '../../foundation/database/audit.ts'
import { type Change, change } from '../../foundation/database/change.ts'
import type { Section } from '../../foundation/domain/snapshot.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { PeopleChanges } from '../../modules/people/people-ports.ts'
import type { BaseUrlFinder } from '../../modules/sign-in/base-url.ts'
import { createScimGroupStore, type ScimGroupStore } from './scim-groups.store.ts'
import { createScimUserStore, type ScimUserStore } from './scim-users.store.ts'

export interface ScimPorts extends Pick<RoutePorts, 'database' | 'changed' | 'clock'> {
  readonly people: PeopleChanges
  readonly findBaseUrl: BaseUrlFinder
  readonly log: Pick<Logger, 'error'>
}

/** Everything a change on behalf of one provider works with. */
export interface ScimWork {
  readonly change: Change
  readonly users: ScimUserStore
  readonly groups: ScimGroupStore
  readonly people: PeopleChanges
}

export function createWork(people: PeopleChanges, idpId: string, change: Change): ScimWork {
  return {
    change,
    users: createScimUserStore(change.tx, idpId),
    groups: createScimGroupStore(change.tx, idpId),
    people,
  }
}

/** Rows, versions and audit entries in one transaction; this instance knows of it before the provider does. */
export async function scimWrite<R>(
  ports: Pick<ScimPorts, 'database' | 'changed' | 'people'>,
  by: { readonly idpId: string; readonly actor: Actor },
  sections: readonly Section[],
  work: (work: ScimWork) => Promise<R>,
): Promise<R> {
  const result = await change(ports.database(), { sections, actor: by.actor }, (one) =>
    work(createWork(ports.people, by.idpId, one)),
  )
  await ports.changed()
  return result
}
