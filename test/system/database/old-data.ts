/**
 * Rows as earlier releases left them, by the migration that made their tables. Plain SQL and not the stores: those write
 * what the tables of today want, and an upgrade meets what was written before.
 */
import { createHash } from 'node:crypto'
import { hashVirtualKey, virtualKeyPrefix } from '../../../src/modules/keys/virtual-key.ts'

export const oldIds = {
  platform: '0197c1a0-0000-7000-8000-000000000001',
  mobile: '0197c1a0-0000-7000-8000-000000000002',
  ada: '0197c1a0-0000-7000-8000-000000000011',
  bob: '0197c1a0-0000-7000-8000-000000000012',
  key: '0197c1a0-0000-7000-8000-000000000021',
  revokedKey: '0197c1a0-0000-7000-8000-000000000022',
  us: '0197c1a0-0000-7000-8000-000000000031',
  eu: '0197c1a0-0000-7000-8000-000000000032',
  idp: '0197c1a0-0000-7000-8000-000000000041',
  budget: '0197c1a0-0000-7000-8000-000000000051',
  memberBudget: '0197c1a0-0000-7000-8000-000000000052',
  other: '0197c1a0-0000-7000-8000-000000000061',
}
const id = oldIds

export const oldKey = `sk-proxy-${'OldKeyOfARelease'.padEnd(43, '0')}`
export const oldRevokedKey = `sk-proxy-${'RevokedKeyOfARelease'.padEnd(43, '0')}`
/** Any 32 bytes; the same ones each time. */
const digest = (name: string): string => `'\\x${createHash('sha256').update(name).digest('hex')}'`

export const oldRows: Readonly<Record<string, string>> = {
  '0001-first-schema': `
    insert into cache_versions values ('keys', 7), ('people', 4);
    insert into instance_secrets (name, value) values ('session-signing-key', ${digest('a')}), ('secret-key', ${digest('b')});
    insert into proxy_settings (key, value, updated_by) values ('session_token_ttl_hours', '9', 'ada@example.com');
    insert into revoked_sessions values ('old-session', '2030-01-01');
    insert into audit_log (id, at, actor, action, target, after)
      values ('${id.other}', '2026-10-01', 'ada@example.com', 'team.create', 'team:${id.platform}', '{"name": "Platform"}');
    insert into former_names (id, kind, name) values ('${id.other}', 'user', 'gone@example.com');
    insert into teams (id, name, routing_strategy) values
      ('${id.platform}', 'Platform', 'primary_fallback'), ('${id.mobile}', 'Mobile', 'round_robin');
    insert into users (id, subject, email, role, team_id, issuer, oidc_subject) values
      ('${id.ada}', 'ada@example.com', 'ada@example.com', 'admin', '${id.platform}', 'https://idp.example.com', 'ada'),
      ('${id.bob}', 'bob@example.com', 'bob@example.com', 'member', '${id.mobile}', null, null);
    insert into virtual_keys (id, name, hash, prefix, user_id, team_id, rate_limit_rpm, allowed_models, revoked_at, created_by)
      values
      ('${id.key}', 'ci', '\\x${hashVirtualKey(oldKey)}', '${virtualKeyPrefix(oldKey)}', '${id.bob}', '${id.mobile}', 600, null, null, 'ada@example.com'),
      ('${id.revokedKey}', 'old laptop', '\\x${hashVirtualKey(oldRevokedKey)}', '${virtualKeyPrefix(oldRevokedKey)}', null, null, null, '{claude-opus-5}', '2026-10-02', 'ada@example.com');
    insert into idps (id, name, issuer_url, audience, client_id, client_secret, allowed_domains)
      values ('${id.idp}', 'Okta', 'https://idp.example.com', 'gateway', 'client', '\\x0102', '{example.com}');
    insert into endpoints (id, name, region, routing_prefix, priority, enabled, is_default, role_arn, external_id) values
      ('${id.us}', 'us', 'us-east-1', 'us', 1, true, true, null, null),
      ('${id.eu}', 'eu', 'eu-west-1', 'eu', 2, true, false, 'arn:aws:iam::111122223333:role/gateway', 'external');
    insert into aip_overrides (endpoint_id, model_id, aip_arn, set_by) values ('${id.eu}', 'claude-opus-5',
      'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/abcdefghijkl', 'ada@example.com');
    insert into team_endpoints values ('${id.mobile}', '${id.us}', 1);
    insert into model_mappings (vendor_prefix, hosted_model_id, display_name, source)
      values ('claude-house', 'anthropic.claude-house', 'House model', 'admin');
    insert into capability_overrides (endpoint_id, profile_id, feature, supported, set_by)
      values ('${id.us}', 'us.anthropic.claude-opus-5', 'context-1m-2025-08-07', true, 'ada@example.com');
    insert into search_providers (id, user_id, provider_type, max_results) values ('${id.other}', null, 'duckduckgo', 5);
    insert into model_prices (model_id, scope, source, input, output, cache_read, cache_write_5m, cache_write_1h)
      values ('anthropic.claude-house', 'global', 'admin', 1.5, 7.5, 0.15, 1.875, 3);
    insert into budgets (id, user_id, team_id, limit_nano_usd, period, policy, rules, member_limit_nano_usd) values
      ('${id.budget}', null, '${id.mobile}', 90000000000000, 'monthly', 'standard', '[{"atPercent": 80, "action": "notify"}, {"atPercent": 100, "action": "block"}]', 50000000000000),
      ('${id.memberBudget}', '${id.ada}', null, 70000000000, 'weekly', null, '[{"atPercent": 100, "action": "block"}]', null);`,
  '0002-capability-probes+compatible': `
    insert into capability_probes (endpoint_id, profile_id, feature, verdict, settled_at, next_at)
      values ('${id.us}', 'us.anthropic.claude-opus-5', 'effort-2025-11-24', 'supported', '2026-10-01', '2030-01-01');`,
  '0003-sign-in+compatible': `
    insert into login_requests (id, kind, secret_hash, user_code, asked_from, expires_at)
      values ('${id.other}', 'device', ${digest('c')}, 'WDJB-MJHT', '10.0.0.1', '2030-01-01');
    insert into refresh_tokens (hash, family, user_id, session_epoch, expires_at)
      values (${digest('d')}, '${id.other}', '${id.bob}', 0, '2030-01-01');
    insert into managed_settings (id, team_id, document, updated_by)
      values ('${id.other}', '${id.mobile}', '{"env": {"A": "1"}}', 'ada@example.com');`,
  '0004-notifications+compatible': `
    insert into notification_configs (slot, destination_type, destination, secret, budget, rate_limit, tested_fingerprint, tested_at, updated_by)
      values ('active', 'webhook', 'https://hooks.example.com/gateway', '\\x0304', true, true, 'seen', '2026-10-01', 'ada@example.com');
    insert into notification_outbox (id, dedupe_key, event, category, state, next_attempt_at)
      values ('${id.other}', 'budget:${id.budget}:80', '{"type": "budget.threshold"}', 'budget', 'delivered', '2026-10-01'),
      ('${id.us}', 'budget:${id.budget}:90', '{"type": "budget.threshold"}', 'budget', 'pending', '2030-01-01');
    insert into notification_intervals values ('rate:${id.key}', '2026-10-01');
    insert into notification_deliveries (id, event_id, event_type, destination_type, destination, status, attempt, response_status, duration_ms)
      values ('${id.other}', '${id.other}', 'budget.threshold', 'webhook', 'https://hooks.example.com/gateway', 'delivered', 1, 200, 31);`,
  '0005-budget-spend+compatible': `
    insert into budget_leases values ('team:${id.mobile}', '${id.other}', 1000000, '2026-10-01');
    insert into live_instances values ('${id.other}', '2026-10-01');
    insert into rate_shares values ('key:${id.key}', '${id.other}', '{2026-10-01}', '2026-10-01');`,
  '0006-scim+compatible': `
    insert into scim_settings values ('${id.idp}', 'Gateway admins');
    insert into scim_tokens (id, idp_id, name, hash, prefix, created_by)
      values ('${id.other}', '${id.idp}', 'okta', ${digest('e')}, 'scim-abc', 'ada@example.com');
    insert into scim_users (user_id, idp_id, external_id, display_name) values ('${id.bob}', '${id.idp}', 'ext-1', 'Bob');
    insert into scim_groups (id, idp_id, display_name, team_id) values ('${id.other}', '${id.idp}', 'Mobile', '${id.mobile}');
    insert into scim_members (group_id, user_id) values ('${id.other}', '${id.bob}');`,
  '0009-instance-reports+compatible': `
    insert into instance_reports values ('${id.other}', '{"version": "1.8.0"}', '2026-10-01');`,
  '0016-sign-ins+compatible': `
    insert into sign_ins (id, user_id, via, session_epoch, client, source_address, created_at, last_used_at, expires_at)
      values ('${id.other}', '${id.bob}', 'sso', 0, 'Firefox 140 on Linux', '10.0.0.1', '2026-10-01', '2026-10-02', '2030-01-01');`,
  '0022-context-marks+compatible': `
    insert into spend_context_marks values (1, '2026-10-01');`,
  '0023-key-addresses+compatible': `
    insert into key_addresses select id, '203.0.113.7', '2026-10-01', '2026-10-02' from virtual_keys;`,
  '0026-budget-requests+compatible': `
    insert into budget_top_ups (id, user_id, team_id, amount_nano_usd, ends_at, reason, created_by) values
      ('${id.other}', '${id.bob}', null, 5000000000, '2030-01-01', 'a release', 'ada@example.com'),
      ('${id.us}', null, '${id.mobile}', 70000000000, '2026-11-01', null, 'ada@example.com');
    insert into budget_requests (id, user_id, team_id, amount_nano_usd, reason, status, decided_at, decided_by, granted_nano_usd, granted_as) values
      ('${id.other}', '${id.bob}', null, 5000000000, 'a release', 'open', null, null, null, null),
      ('${id.us}', '${id.bob}', '${id.mobile}', 7000000000, null, 'approved', '2026-10-02', 'ada@example.com', 7000000000, 'top_up');`,
  '0027-grants+compatible': `
    update users set grants = '{team:lead,audit:read}';`,
  '0028-saved-views+compatible': `
    insert into saved_views values ('${id.bob}', 'My month', '#/me/requests?range=month', '2026-10-01');`,
  '0029-notices+compatible': `
    insert into key_expiry_notices values ('${id.key}', '2030-01-01', 7);
    update notification_configs set keys = true, digest = true;`,
  '0030-row-revisions+compatible': `
    update users set active = false where id = '${id.bob}';
    insert into snapshot_removals values ('keys', 7, 'a hash', now());`,
  '0031-charged-days+compatible': `
    insert into charged_days values ('2026-10-01', 1, 'geo', 0, 2, 3000000, 0, 100, 20, 4000, 50, 7);`,
}
