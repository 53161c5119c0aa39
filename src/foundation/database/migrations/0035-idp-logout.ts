/** What signing out of the portal does at the identity provider. Instances of the release before keep `local`. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`
    alter table idps add column logout text not null default 'local'
    constraint idps_logout_known check (logout in ('local', 'provider'))`.execute(tx)
}
