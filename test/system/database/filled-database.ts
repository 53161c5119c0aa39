/** What an organization has in its database: teams, users, keys, endpoints, settings and spend. */
import type { Database } from '../../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { hashVirtualKey, virtualKeyPrefix } from '../../../src/modules/keys/virtual-key.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { createRandom, makeRecords } from '../../analytics/sample-world.ts'

export const ids = {
  platform: '0197c1a0-0000-7000-8000-000000000001',
  mobile: '0197c1a0-0000-7000-8000-000000000002',
  ada: '0197c1a0-0000-7000-8000-000000000011',
  bob: '0197c1a0-0000-7000-8000-000000000012',
  key: '0197c1a0-0000-7000-8000-000000000021',
  revokedKey: '0197c1a0-0000-7000-8000-000000000022',
  us: '0197c1a0-0000-7000-8000-000000000031',
  eu: '0197c1a0-0000-7000-8000-000000000032',
}

export const workingKey = `sk-proxy-${'OldKeyOfARelease'.padEnd(43, '0')}`
export const revokedKey = `sk-proxy-${'RevokedKeyOfARelease'.padEnd(43, '0')}`

/** Plain SQL and not the stores, as a restored backup would bring it. */
const rows = `
  insert into cache_versions values ('keys', 7), ('people', 4);
  insert into proxy_settings (key, value, updated_by) values ('session_token_ttl_hours', '9', 'ada@example.com');
  insert into teams (id, name, routing_strategy) values
    ('${ids.platform}', 'Platform', 'primary_fallback'), ('${ids.mobile}', 'Mobile', 'round_robin');
  insert into users (id, subject, email, role, team_id, issuer, oidc_subject) values
    ('${ids.ada}', 'ada@example.com', 'ada@example.com', 'admin', '${ids.platform}', 'https://idp.example.com', 'ada'),
    ('${ids.bob}', 'bob@example.com', 'bob@example.com', 'member', '${ids.mobile}', null, null);
  insert into virtual_keys (id, name, hash, prefix, user_id, team_id, rate_limit_rpm, revoked_at, created_by) values
    ('${ids.key}', 'ci', '\\x${hashVirtualKey(workingKey)}', '${virtualKeyPrefix(workingKey)}', '${ids.bob}',
      '${ids.mobile}', 600, null, 'ada@example.com'),
    ('${ids.revokedKey}', 'old laptop', '\\x${hashVirtualKey(revokedKey)}', '${virtualKeyPrefix(revokedKey)}', null,
      null, null, '2026-10-02', 'ada@example.com');
  insert into endpoints (id, name, region, routing_prefix, priority, enabled, is_default) values
    ('${ids.us}', 'us', 'us-east-1', 'us', 1, true, true), ('${ids.eu}', 'eu', 'eu-west-1', 'eu', 2, true, false);
  insert into team_endpoints values ('${ids.mobile}', '${ids.us}', 1);`

/** The spend has the same figures each time, except for the ids of requests and sessions. */
export async function fillDatabase(database: Database): Promise<readonly SpendRecord[]> {
  await database.pool.query(rows)
  const random = createRandom(1)
  const people = [
    { id: ids.ada, teamId: ids.platform },
    { id: ids.bob, teamId: ids.mobile },
  ]
  const records = Array.from({ length: 300 }, () => makeRecords(random, people, ids.key, [ids.us, ids.eu])).flat()
  await createSpendLog(database.kysely).appendBatch(records)
  return records
}
