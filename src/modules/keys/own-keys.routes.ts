/** A person's own virtual keys. Another person's key does not exist here. */

import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forPersons, forReaders, unknownId } from '../../foundation/http/answers.ts'
import { id, name, nothing, time } from '../../foundation/http/fields.ts'
import { describePage, listQuery } from '../../foundation/http/lists.ts'
import { apiRoute, created, ok, type Route } from '../../foundation/http/route.ts'
import { requirePerson, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { createUserStore } from '../people/users.store.ts'
import type { KeyPorts } from './key-ports.ts'
import { createKeyStore, type KeyRecord } from './keys.store.ts'
import {
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

const tag = 'Me'
const params = z.object({ key_id: id })

/** Every instance keeps all keys in memory, so one person must not be able to fill it. */
const MAX_ACTIVE_KEYS = 100

export function ownKeyRoutes(ports: KeyPorts): Route[] {
  return [listOwnKeys(ports), createOwnKey(ports), revokeOwnKey(ports), rotateOwnKey(ports)]
}

function listOwnKeys(ports: KeyPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/me/keys',
    access: 'self-read',
    tag,
    summary: 'List my virtual keys',
    description:
      'A key that belongs to nobody has no other keys to show. `sort`: created_at (newest first by default), name, last_used_at, expires_at.',
    query: z.strictObject({ ...listQuery, status: z.enum(keyStatuses).optional() }),
    answers: {
      200: { text: 'Keys without their secrets', schema: describePage(keySchema) },
      ...badInput,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, query: { status, ...request } }) => {
      const keys = createKeyStore(ports.database().kysely)
      const user = caller?.user ?? null
      if (user === null) return ok({ data: [], has_more: false, next_cursor: null })
      const page = await keys.list({ ...request, userId: user.id, ...defined({ status }) })
      return ok({ ...page, data: await keyBodies(ports, page.data) })
    },
  })
}

function createOwnKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/me/keys',
    access: 'person',
    tag,
    summary: 'Create a virtual key for myself',
    description:
      'It belongs to the caller and the caller’s team. The answer is the only one that carries the key itself.',
    body: z.strictObject({ name, expires_at: time.nullable().optional() }),
    answers: {
      201: { text: 'The key', schema: createdKeySchema },
      ...badInput,
      409: { text: 'The caller has too many active keys' },
      ...forPersons,
    },
    handle: async (call) => {
      const { name: keyName, expires_at: expiresAtMs = null } = call.body
      requireFuture(expiresAtMs, ports.clock.nowMs())
      const person = requirePerson(call)
      const { record, key } = await write(ports, call, ['keys'], async (change) => {
        // As the database knows the person now: a member who was moved or removed a moment ago is not in the old team.
        const owner = await createUserStore(change.tx).find(person.id)
        if (owner === undefined) throw problem('invalid_credential')
        await requireRoom(change, owner.id)
        return issueKey(change, {
          name: keyName,
          userId: owner.id,
          teamId: owner.teamId,
          rateLimitRpm: null,
          allowedModels: null,
          expiresAtMs,
          createdBy: owner.subject,
        })
      })
      return created({ key, ...newKeyBody(ports, record) })
    },
  })
}

async function requireRoom({ tx }: Change, userId: string): Promise<void> {
  const { data } = await createKeyStore(tx).list({ userId, status: 'active', limit: MAX_ACTIVE_KEYS })
  if (data.length >= MAX_ACTIVE_KEYS)
    throw problem('conflict', { reason: `You have ${MAX_ACTIVE_KEYS} active keys. Revoke one that you no longer use.` })
}

async function requireOwnKey({ tx }: Change, keyId: string, userId: string): Promise<KeyRecord> {
  const key = await createKeyStore(tx).find(keyId)
  // The same answer for a key that does not exist: whether it does is nobody else's business.
  if (key === undefined || key.userId !== userId) throw problem('not_found', { what: 'key' })
  return key
}

function revokeOwnKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/me/keys/{key_id}/revoke',
    access: 'person',
    tag,
    summary: 'Revoke one of my virtual keys',
    params,
    body: nothing,
    answers: { 200: { text: 'The revoked key', schema: keySchema }, ...badInput, ...unknownId, ...forPersons },
    handle: async (call) => {
      const key = await write(ports, call, ['keys'], async (change) =>
        revokeKey(change, await requireOwnKey(change, call.params.key_id, requirePerson(call).id), ports.clock.nowMs()),
      )
      return ok(await keyBody(ports, key))
    },
  })
}

function rotateOwnKey(ports: KeyPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/me/keys/{key_id}/rotate',
    access: 'person',
    tag,
    summary: 'Replace one of my virtual keys by a new one',
    description:
      'The new key takes over every limit. The old one works for `grace_seconds` more (0 to 604800, default 0).',
    params,
    body: rotation,
    answers: {
      201: { text: 'The new key, shown this once', schema: rotatedKeySchema },
      ...badInput,
      ...unknownId,
      409: { text: 'The key is revoked, expired or rotated already, or the caller has too many active keys' },
      ...forPersons,
    },
    handle: async (call) => {
      const person = requirePerson(call)
      const graceSeconds = call.body?.grace_seconds ?? 0
      const rotated = await write(ports, call, ['keys'], async (change) => {
        const key = await requireOwnKey(change, call.params.key_id, person.id)
        // A key in its grace time is active beside the one that takes its place.
        if (graceSeconds > 0) await requireRoom(change, person.id)
        return rotateKey(change, key, { graceSeconds, createdBy: person.subject, nowMs: ports.clock.nowMs() })
      })
      return created(rotatedBody(ports, rotated))
    },
  })
}
