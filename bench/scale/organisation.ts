/** Fills a database with an organisation of a given size: people in teams with budgets, a key for each of them. */

import type { Database } from '../../src/foundation/database/database.ts'
import { budgetPresets } from '../../src/foundation/domain/budget.ts'
import { VIRTUAL_KEY_PREFIX } from '../../src/foundation/domain/virtual-key.ts'

const PEOPLE_PER_TEAM = 50

/** The key of a person, by their number: everybody's can be told, so none has to be kept. */
export function formatKey(person: number): string {
  return `${VIRTUAL_KEY_PREFIX}${String(person).padStart(43, '0')}`
}

/** Limits that nobody reaches, but that are counted for everybody: one for each person and one for each team. */
export async function fillOrganisation(database: Database, people: number): Promise<void> {
  const teams = Math.ceil(people / PEOPLE_PER_TEAM)
  await database.pool.query(`
    insert into teams (id, name) select md5('team' || n)::uuid, 'Team ' || n from generate_series(1, ${teams}) as n;
    insert into users (id, subject, email, role, team_id)
      select md5('user' || n)::uuid, 'person' || n || '@example.com', 'person' || n || '@example.com', 'member',
        md5('team' || (n % ${teams} + 1))::uuid
      from generate_series(1, ${people}) as n;
    insert into virtual_keys (id, name, hash, prefix, user_id, rate_limit_rpm, created_by)
      select md5('key' || n)::uuid, 'laptop ' || n,
        sha256(convert_to('${VIRTUAL_KEY_PREFIX}' || lpad(n::text, 43, '0'), 'UTF8')),
        '${VIRTUAL_KEY_PREFIX}0000000', md5('user' || n)::uuid, 1000, 'bench'
      from generate_series(1, ${people}) as n;
    insert into budgets (id, team_id, limit_nano_usd, period, rules, member_limit_nano_usd)
      select md5('budget' || n)::uuid, md5('team' || n)::uuid, 1000000000000000, 'monthly',
        '${JSON.stringify(budgetPresets.standard)}', 100000000000000
      from generate_series(1, ${teams}) as n;
    analyze;`)
}
