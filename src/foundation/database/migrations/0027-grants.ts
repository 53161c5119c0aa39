/** What a person may see beside the role. Nobody has any until an administrator gives one. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column grants text[] not null default '{}'`.execute(tx)
  // Here and not in the stores: people are moved one by one, by groups of an identity provider, and by the end of a team,
  // also by instances of the release before. None of that may make somebody the lead of a team that nobody gave them.
  await sql`
    create function lead_of_the_team_that_is_left() returns trigger language plpgsql as $$
    begin
      new.grants := array_remove(new.grants, 'team:lead');
      return new;
    end
    $$`.execute(tx)
  await sql`
    create trigger lead_of_the_team_that_is_left before update of team_id on users for each row
    when (old.team_id is not null and new.team_id is distinct from old.team_id)
    execute function lead_of_the_team_that_is_left()`.execute(tx)
}
