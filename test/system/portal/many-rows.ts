/** Many keys and users, for tests of pages that list them. */
import type { Database } from '../../../src/foundation/database/database.ts'

const TEAMS = 300

/** In one statement each: creating them with requests would take minutes. */
export async function fillMany({ pool }: Database, rows: number): Promise<void> {
  await pool.query(
    `insert into teams (id, name) select gen_random_uuid(), 'Team ' || lpad(n::text, 3, '0') from generate_series(1, $1::int) n`,
    [TEAMS],
  )
  await pool.query(
    `insert into users (id, subject, role, team_id)
      select gen_random_uuid(), 'person' || lpad(n::text, 6, '0') || '@example.com', 'member', chosen.id
      from generate_series(1, $1::int) n
      join (select id, row_number() over (order by name) as place from teams) chosen on chosen.place = n % $2::int + 1`,
    [rows, TEAMS],
  )
  await pool.query(
    `insert into virtual_keys (id, name, hash, prefix, user_id, team_id, created_by, created_at)
      select gen_random_uuid(), 'key ' || subject, sha256(subject::bytea), 'sk-proxy-' || substr(md5(subject), 1, 4),
        id, team_id, 'test', now() - random() * interval '90 days' from users where role = 'member'`,
  )
  await pool.query('analyze users, virtual_keys, teams')
}
