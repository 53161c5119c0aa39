/** Who is signed in where, and ending it: for oneself, and for administrators of anybody. */
import { z } from 'zod'
import type { Change } from '../../../foundation/database/change.ts'
import { problem } from '../../../foundation/domain/errors.ts'
import { signInVias } from '../../../foundation/domain/sign-in.ts'
import { badInput, forAdmins, forPersons, forReaders, unknownId } from '../../../foundation/http/answers.ts'
import { id, isoTime } from '../../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../../foundation/http/lists.ts'
import { apiRoute, noContent, ok, type Route } from '../../../foundation/http/route.ts'
import { type RoutePorts, requirePerson, write } from '../../../foundation/http/write-change.ts'
import { createUserStore } from '../../people/users.store.ts'
import { createSignInStore, type OpenAt, type SignInRecord } from '../sign-ins.store.ts'

const tag = 'Sign-ins'
const userParams = z.object({ user_id: id })
const sorts = '`q` looks in clients and addresses. `sort`: last_used_at, created_at; the last used first without it.'

const signInSchema = z.object({
  id,
  signed_in_with: z.enum(signInVias),
  client: z.string().nullable(),
  source_address: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  current: z.boolean(),
})

export function signInRecordRoutes(ports: RoutePorts): Route[] {
  return [listOwn(ports), endOwn(ports), endAllOwn(ports), listOfUser(ports), endOfUser(ports), endAllOfUser(ports)]
}

function openNow(ports: RoutePorts): OpenAt {
  return { nowMs: ports.clock.nowMs(), ttlHours: ports.snapshot().settings.session_token_ttl_hours }
}

function toBody(record: SignInRecord, presented: string | undefined): z.infer<typeof signInSchema> {
  return {
    id: record.id,
    signed_in_with: record.via,
    client: record.client,
    source_address: record.sourceAddress,
    created_at: isoTime(record.createdAtMs),
    last_used_at: isoTime(record.lastUsedAtMs),
    expires_at: isoTime(record.expiresAtMs),
    current: record.id === presented,
  }
}

function listOwn(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/me/sessions',
    access: 'self-read',
    tag,
    summary: 'Where I am signed in',
    description: `Sessions that can still be used. \`last_used_at\` is written at most every five minutes. ${sorts} A key that belongs to nobody has none.`,
    query: z.strictObject(listQuery),
    answers: {
      200: { text: 'Sessions without their tokens', schema: describePage(signInSchema) },
      ...badInput,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, query: request }) => {
      const store = createSignInStore(ports.database().kysely)
      const user = caller?.user ?? null
      if (user === null) return ok({ data: [], has_more: false, next_cursor: null })
      const page = await store.list(user.id, openNow(ports), request)
      const presented = caller?.kind === 'session' ? caller.sessionId : undefined
      return ok(mapPage(page, (record) => toBody(record, presented)))
    },
  })
}

function endOwn(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/me/sessions/{session_id}',
    access: 'person',
    tag,
    summary: 'Sign out one of my sessions',
    description: 'It stops within 5 seconds on every instance; a client that renews its sign-in has to sign in again.',
    params: z.object({ session_id: id }),
    answers: { 204: { text: 'Signed out, also when it was before' }, ...badInput, ...unknownId, ...forPersons },
    handle: async (call) => {
      await write(ports, call, ['sessions'], (change) =>
        endOne(change, call.params.session_id, requirePerson(call).id, ports.clock.nowMs()),
      )
      return noContent
    },
  })
}

function endAllOwn(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/me/sessions',
    access: 'person',
    tag,
    summary: 'Sign out everywhere',
    description: 'The session that asks ends too. Virtual keys stay.',
    answers: { 204: { text: 'Signed out' }, ...forPersons },
    handle: async (call) => {
      await write(ports, call, ['people'], (change) => endEvery(change, requirePerson(call).id, openNow(ports)))
      return noContent
    },
  })
}

function listOfUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/users/{user_id}/sessions',
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'Where a person is signed in',
    description: `Sessions that can still be used. \`last_used_at\` is written at most every five minutes. ${sorts}`,
    params: userParams,
    query: z.strictObject(listQuery),
    answers: {
      200: { text: 'Sessions without their tokens', schema: describePage(signInSchema) },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async ({ caller, params, query: request }) => {
      const db = ports.database().kysely
      await requireUser(db, params.user_id)
      const page = await createSignInStore(db).list(params.user_id, openNow(ports), request)
      const presented = caller?.kind === 'session' ? caller.sessionId : undefined
      return ok(mapPage(page, (record) => toBody(record, presented)))
    },
  })
}

function endOfUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/admin/users/{user_id}/sessions/{session_id}',
    access: 'admin',
    tag,
    summary: 'Sign out one session of a person',
    params: z.object({ user_id: id, session_id: id }),
    answers: { 204: { text: 'Signed out, also when it was before' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { user_id: userId, session_id: sessionId } = call.params
      await write(ports, call, ['sessions'], (change) => endOne(change, sessionId, userId, ports.clock.nowMs()))
      return noContent
    },
  })
}

function endAllOfUser(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/admin/users/{user_id}/sessions',
    access: 'admin',
    tag,
    summary: 'Sign a person out everywhere',
    description: 'Within 5 seconds on every instance. Virtual keys stay, and the person may sign in again.',
    params: userParams,
    answers: { 204: { text: 'Signed out' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      await write(ports, call, ['people'], (change) => endEvery(change, call.params.user_id, openNow(ports)))
      return noContent
    },
  })
}

async function requireUser(db: Parameters<typeof createUserStore>[0], userId: string): Promise<void> {
  const user = await createUserStore(db).find(userId)
  if (user === undefined) throw problem('not_found', { what: 'user' })
}

async function endOne({ tx, audit }: Change, sessionId: string, userId: string, nowMs: number): Promise<void> {
  const store = createSignInStore(tx)
  const owner = await store.findOwner(sessionId)
  // The same answer for a session that does not exist: whether it does is nobody else's business.
  if (owner === undefined || owner.userId !== userId) throw problem('not_found', { what: 'session' })
  if (owner.hasEnded) return
  await store.end(sessionId, nowMs)
  audit({ action: 'session.end', target: `user:${userId}`, before: { session_id: sessionId } })
}

async function endEvery(change: Change, userId: string, open: OpenAt): Promise<void> {
  await requireUser(change.tx, userId)
  const count = await createSignInStore(change.tx).endAll(userId, open)
  change.audit({ action: 'session.end-all', target: `user:${userId}`, before: { open_sessions: count } })
}
