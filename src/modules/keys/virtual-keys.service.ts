/** Virtual keys as the API shows them, and what administrators and their owners both do with them. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { type NanoUsd, usdFromNano } from '../../foundation/domain/money.ts'
import { keyStatus } from '../../foundation/domain/virtual-key.ts'
import { id, isoTime } from '../../foundation/http/fields.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import type { KeyPorts } from './key-ports.ts'
import { createKeyStore, type KeyRecord, type NewKey } from './keys.store.ts'
import { makeVirtualKey } from './virtual-key.ts'

const isoText = z.iso.datetime()

export const keyStatuses = ['active', 'revoked', 'expired'] as const

export const keySchema = z.object({
  id,
  name: z.string(),
  prefix: z.string(),
  user_id: id.nullable(),
  team_id: id.nullable(),
  rate_limit_rpm: z.int().nullable(),
  allowed_models: z.array(z.string()).nullable(),
  expires_at: isoText.nullable(),
  revoked_at: isoText.nullable(),
  status: z.enum(keyStatuses),
  last_used_at: isoText.nullable(),
  created_at: isoText,
  spend_usd: z.number(),
})

/** The only two answers that carry the key itself. */
export const createdKeySchema = keySchema.extend({ key: z.string() })
export const rotatedKeySchema = createdKeySchema.extend({
  previous_key: z.object({ id, revoked_at: isoText }),
})

const MAX_GRACE_SECONDS = 7 * 24 * 3600

export const rotation = z
  .strictObject({
    // Nothing by default: most rotations follow a leak, and a leaked key must not live on unless somebody asks.
    grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0),
  })
  .optional()

function toBody(key: KeyRecord, nowMs: number, spend: ReadonlyMap<string, NanoUsd>) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    user_id: key.userId,
    team_id: key.teamId,
    rate_limit_rpm: key.rateLimitRpm,
    allowed_models: key.allowedModels,
    expires_at: isoTime(key.expiresAtMs),
    revoked_at: isoTime(key.revokedAtMs),
    status: keyStatus(key, nowMs),
    last_used_at: isoTime(key.lastUsedAtMs),
    created_at: key.createdAt,
    spend_usd: usdFromNano(spend.get(key.id) ?? 0),
  }
}

export async function keyBodies(ports: Pick<KeyPorts, 'clock' | 'spendOfKeys'>, keys: readonly KeyRecord[]) {
  const spend = keys.length === 0 ? new Map<string, NanoUsd>() : await ports.spendOfKeys(keys.map((key) => key.id))
  const nowMs = ports.clock.nowMs()
  return keys.map((key) => toBody(key, nowMs, spend))
}

export async function keyBody(ports: Pick<KeyPorts, 'clock' | 'spendOfKeys'>, key: KeyRecord) {
  const spend = await ports.spendOfKeys([key.id])
  return toBody(key, ports.clock.nowMs(), spend)
}

/** A key that has never been used or counted, for answers that must not wait for the ledger. */
export function newKeyBody(ports: Pick<RoutePorts, 'clock'>, key: KeyRecord) {
  return toBody(key, ports.clock.nowMs(), new Map())
}

/** For the audit trail: what an administrator decided about the key, without hash and counters. */
export function auditedKey(key: KeyRecord): object {
  return {
    name: key.name,
    prefix: key.prefix,
    user_id: key.userId,
    team_id: key.teamId,
    rate_limit_rpm: key.rateLimitRpm,
    allowed_models: key.allowedModels,
    expires_at: isoTime(key.expiresAtMs),
    revoked_at: isoTime(key.revokedAtMs),
  }
}

export function requireFuture(expiresAtMs: number | null | undefined, nowMs: number): void {
  if (expiresAtMs !== null && expiresAtMs !== undefined && expiresAtMs <= nowMs)
    throw invalidField('expires_at', 'must be in the future')
}

export interface IssuedKey {
  readonly record: KeyRecord
  readonly key: string
}

export async function issueKey(
  { tx, audit }: Change,
  values: Omit<NewKey, 'hash' | 'prefix'>,
  action = 'key.create',
): Promise<IssuedKey> {
  const { key, hash, prefix } = makeVirtualKey()
  const record = await createKeyStore(tx).insert({ ...values, hash, prefix })
  audit({ action, target: `key:${record.id}`, after: auditedKey(record) })
  return { record, key }
}

/** Idempotent; only the first time is worth an audit entry. */
export async function revokeKey(
  { tx, audit }: Change,
  before: KeyRecord,
  nowMs: number,
  graceSeconds = 0,
): Promise<KeyRecord> {
  const after = await createKeyStore(tx).revoke(before.id, nowMs, graceSeconds)
  if (after === undefined) throw problem('not_found', { what: 'key' })
  if (after.revokedAtMs !== before.revokedAtMs)
    audit({ action: 'key.revoke', target: `key:${after.id}`, before: auditedKey(before), after: auditedKey(after) })
  return after
}

export interface Rotation {
  readonly graceSeconds: number
  readonly createdBy: string
  readonly nowMs: number
}

/** The new key has everything of the old one but its secret, so that a rotation never loosens a limit. */
export async function rotateKey(
  change: Change,
  before: KeyRecord,
  rotation: Rotation,
): Promise<IssuedKey & { readonly previous: KeyRecord }> {
  if (keyStatus(before, rotation.nowMs) !== 'active')
    throw problem('conflict', { reason: 'Only an active key can be rotated.' })
  if (before.revokedAtMs !== null)
    throw problem('conflict', { reason: 'This key was rotated already and is in its grace time.' })
  const { name, userId, teamId, rateLimitRpm, allowedModels, expiresAtMs } = before
  const values = { name, userId, teamId, rateLimitRpm, allowedModels, expiresAtMs, createdBy: rotation.createdBy }
  const issued = await issueKey(change, values, 'key.rotate')
  const previous = await revokeKey(change, before, rotation.nowMs, rotation.graceSeconds)
  return { ...issued, previous }
}

export function rotatedBody(
  ports: Pick<RoutePorts, 'clock'>,
  { record, key, previous }: IssuedKey & { readonly previous: KeyRecord },
): object {
  const previousKey = { id: previous.id, revoked_at: isoTime(previous.revokedAtMs) }
  return { key, ...newKeyBody(ports, record), previous_key: previousKey }
}
