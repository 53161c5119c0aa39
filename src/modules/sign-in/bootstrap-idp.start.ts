/** Inserts the identity provider of the environment, once: an issuer that is known is never touched again. */
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { startupActor } from '../../foundation/database/startup-actor.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { type EnvironmentIdp, idpOfEnvironment } from './built-in-people.ts'
import { createIdpStore } from './idps.store.ts'

interface IdpParts {
  readonly database: Database
  readonly environment: EnvironmentIdp
  readonly log: Logger
}

export async function bootstrapIdp({ database, environment, log }: IdpParts): Promise<void> {
  const idp = idpOfEnvironment(environment)
  if (idp === undefined) return
  const known = (await createIdpStore(database.kysely).list()).some((other) => other.issuerUrl === idp.issuerUrl)
  if (known) {
    log.info('OIDC_* variables are ignored: a provider with this issuer exists and is managed in the portal')
    return
  }
  await change(database, { sections: ['idps'], actor: startupActor }, async ({ tx, audit }) => {
    const added = await createIdpStore(tx).insertUnlessIssuerKnown({ ...idp, clientSecret: null })
    if (added === undefined) return
    audit({ action: 'idp.create', target: `idp:${added.id}`, after: { name: added.name, issuer_url: added.issuerUrl } })
    log.info({ idp: added.id }, 'the identity provider of the environment was added')
  })
}
