/** Follows the simulated identity provider to another port: its row, and the people who are pinned to it. */
import { change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { demoActor } from './write-organization.ts'

export async function moveIssuer(database: Database, fromUrl: string, toUrl: string): Promise<void> {
  if (fromUrl === toUrl) return
  await change(database, { sections: ['idps', 'people'], actor: demoActor }, async ({ tx, audit }) => {
    const store = createIdpStore(tx)
    const known = (await store.list()).find((idp) => idp.issuerUrl === fromUrl)
    if (known === undefined) return
    await store.update(known.id, { issuerUrl: toUrl })
    // A pinned identity that names the old address could never sign in again.
    await tx.updateTable('users').set({ issuer: toUrl }).where('issuer', '=', fromUrl).execute()
    audit({
      action: 'idp.update',
      target: `idp:${known.id}`,
      before: { issuer_url: fromUrl },
      after: { issuer_url: toUrl },
    })
  })
}
