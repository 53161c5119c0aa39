/** Virtual keys, as administrators manage them. */

import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { keyStatus } from '../../foundation/domain/virtual-key.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, isoTime, name, nothing, rateLimitRpm, text, time } from '../../foundation/http/fields.ts'
import { describePage, listQuery } from '../../foundation/http/lists.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { readActor, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { requireOwnTeam } from '../people/own-team.ts'
import { createKeyAddresses, MAX_ADDRESSES } from './key-addresses.store.ts'
import type { KeyPorts } from './key-ports.ts'
import { createKeyStore, type KeyPatch, type KeyRecord, type KeyStore } from './keys.store.ts'
import {
  auditedKey,
  createdKeySchema,
  issueKey,
  keyBodies,
  keyBody,
  keySchema,
  keyStatuses,
  newKeyBody,
  requireFuture,
  revokeKey,
  rotatedBody,
  rotatedKeySchema,
  rotateKey,
  rotation,
} from './virtual-keys.service.ts'

const tag = 'Keys'
const params = z.object({ key_id: id })

/** Exact client ids. An empty list would allow nothing, which is what revoking is for. */
const allowedModels = z
  .array(text(200))
  .min(1)
  .max(200)
  .transform((models) => [...new Set(models)])

const optionalFields = {
  rate_limit_rpm: rateLimitRpm.nullable().optional(),
  user_id: id.nullable().optional(),
  team_id: id.nullable().optional(),
  expires_at: time.nullable().optional(),
  allowed_models: allowedModels.nullable().optional(),
}

const keyWithAddresses = keySchema.extend({
  addresses: z.array(
    z.object({ address: z.string(), first_seen_at: z.iso.datetime(), last_seen_at: z.iso.datetime() }),
  ),
})

const newKey = z.strictObject({ name, ...optionalFields })
const keyPatch = z.strictObject({ name: name.optional(), ...optionalFields })
const keyFilter = z.strictObject({
  ...listQuery,
  user_id: id.optional(),
  team_id: id.optional(),
  status: z.enum(keyStatuses).optional(),
})

export function keyRoutes(ports: KeyPorts): Route[] {
  return [
    createKey(ports),
    listKeys(ports),
    readKey(ports),
    updateKey(ports),
    removeKey(ports),
    revoke(ports),
    rotate(ports),
  ]
}

async function requireKey(keys: KeyStore, keyId: string): Promise<KeyRecord> {
  const key = await keys.find(keyId)
  if (key === undefined) throw problem('not_found', { what: 'key' })
  return key
}

function createKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/keys',
    access: 'admin',
    tag,
    summary: 'Create a virtual key',
    description: 'The answer is the only one that ever carries the key itself.',
    body: newKey,
    answers: { 201: { text: 'The key', schema: createdKeySchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const { body } = call
      requireFuture(body.expires_at, ports.clock.nowMs())
      const { record, key } = await write(ports, call, ['keys'], (change) =>
        issueKey(change, {
          name: body.name,
          userId: body.user_id ?? null,
          teamId: body.team_id ?? null,
          rateLimitRpm: body.rate_limit_rpm ?? null,
          allowedModels: body.allowed_models ?? null,
          expiresAtMs: body.expires_at ?? null,
          createdBy: readActor(call).name,
        }),
      )
      return created({ key, ...newKeyBody(ports, record) })
    },
  })
}

function listKeys(ports: KeyPorts): Route {
  const list = async ({ user_id: userId, team_id: teamId, status, ...request }: z.infer<typeof keyFilter>) => {
    const page = await createKeyStore(ports.database().kysely).list({
      ...request,
      ...defined({ userId, teamId, status }),
    })
    return ok({ ...page, data: await keyBodies(ports, page.data) })
  }
  return apiRoute({
    method: 'GET',
    path: '/admin/keys',
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'List virtual keys',
    description:
      '`q` looks in names and prefixes. `sort`: created_at (newest first by default), name, last_used_at, expires_at.',
    query: keyFilter,
    answers: {
      200: { text: 'Keys without their secrets', schema: describePage(keySchema) },
      ...badInput,
      ...forAdmins,
    },
    handle: ({ query }) => list(query),
    handleForLead: ({ query }, teamId) => {
      requireOwnTeam(ports, teamId, query.team_id)
      return list({ ...query, team_id: teamId })
    },
  })
}

function readKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/keys/{key_id}',
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'Read a virtual key, and from where it is used',
    description: `The ${MAX_ADDRESSES} addresses of callers that were seen last, latest first. A new one is there after some seconds, a later use of it after minutes. They are kept as long as records of calls.`,
    params,
    answers: { 200: { text: 'The key', schema: keyWithAddresses }, ...badInput, ...unknownId, ...forAdmins },
    handle: async ({ params: { key_id: keyId } }) => {
      const { kysely } = ports.database()
      const body = await keyBody(ports, await requireKey(createKeyStore(kysely), keyId))
      const seen = await createKeyAddresses(kysely).list(keyId)
      const addresses = seen.map(({ address, firstSeenAtMs, lastSeenAtMs }) => ({
        address,
        first_seen_at: isoTime(firstSeenAtMs),
        last_seen_at: isoTime(lastSeenAtMs),
      }))
      return ok({ ...body, addresses })
    },
  })
}

function updateKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'PATCH',
    path: '/admin/keys/{key_id}',
    access: 'admin',
    tag,
    summary: 'Change a virtual key',
    description: 'An omitted field keeps its value; null clears it.',
    params,
    body: keyPatch,
    answers: { 200: { text: 'The key', schema: keySchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { key_id: keyId } = call.params
      const patch = toKeyPatch(call.body)
      const key = await write(ports, call, ['keys'], async ({ tx, audit }) => {
        const keys = createKeyStore(tx)
        const before = await requireKey(keys, keyId)
        // A form sends back what it was shown, also the expiry of a key that has expired.
        if (patch.expiresAtMs !== before.expiresAtMs) requireFuture(patch.expiresAtMs, ports.clock.nowMs())
        const after = await keys.update(keyId, patch)
        if (after === undefined) throw problem('not_found', { what: 'key' })
        audit({ action: 'key.update', target: `key:${keyId}`, before: auditedKey(before), after: auditedKey(after) })
        return after
      })
      return ok(await keyBody(ports, key))
    },
  })
}

function toKeyPatch(body: z.infer<typeof keyPatch>): KeyPatch {
  return defined({
    name: body.name,
    rateLimitRpm: body.rate_limit_rpm,
    userId: body.user_id,
    teamId: body.team_id,
    expiresAtMs: body.expires_at,
    allowedModels: body.allowed_models,
  })
}

function removeKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/admin/keys/{key_id}',
    access: 'admin',
    tag,
    summary: 'Delete a revoked key',
    params,
    answers: {
      204: { text: 'Deleted' },
      ...badInput,
      ...unknownId,
      409: { text: 'The key is not revoked' },
      ...forAdmins,
    },
    handle: async (call) => {
      const { key_id: keyId } = call.params
      await write(ports, call, ['keys'], async ({ tx, audit }) => {
        const keys = createKeyStore(tx)
        const before = await requireKey(keys, keyId)
        if (keyStatus(before, ports.clock.nowMs()) !== 'revoked')
          throw problem('conflict', { reason: 'Only a revoked key can be deleted. Revoke it first.' })
        await keys.remove(keyId)
        audit({ action: 'key.delete', target: `key:${keyId}`, before: auditedKey(before) })
      })
      return noContent
    },
  })
}

function revoke(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/keys/{key_id}/revoke',
    access: 'admin',
    tag,
    summary: 'Revoke a virtual key',
    description: 'At once here, within 5 seconds on every other instance. Revoking again changes nothing.',
    params,
    body: nothing,
    answers: { 200: { text: 'The revoked key', schema: keySchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const key = await write(ports, call, ['keys'], async (change) =>
        revokeKey(change, await requireKey(createKeyStore(change.tx), call.params.key_id), ports.clock.nowMs()),
      )
      return ok(await keyBody(ports, key))
    },
  })
}

function rotate(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/keys/{key_id}/rotate',
    access: 'admin',
    tag,
    summary: 'Replace a virtual key by a new one',
    description:
      'The new key takes over name, owner, limits and expiry. The old one works for `grace_seconds` more (0 to 604800, default 0).',
    params,
    body: rotation,
    answers: {
      201: { text: 'The new key, shown this once', schema: rotatedKeySchema },
      ...badInput,
      ...unknownId,
      409: { text: 'The key is revoked, expired or rotated already' },
      ...forAdmins,
    },
    handle: async (call) => {
      const rotated = await write(ports, call, ['keys'], async (change) =>
        rotateKey(change, await requireKey(createKeyStore(change.tx), call.params.key_id), {
          graceSeconds: call.body?.grace_seconds ?? 0,
          createdBy: readActor(call).name,
          nowMs: ports.clock.nowMs(),
        }),
      )
      return created(rotatedBody(ports, rotated))
    },
  })
}
