/** Settings for signed-in clients: administrators edit documents, each client fetches what applies to its person. */

import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../../foundation/database/database.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { shownSettings } from '../../foundation/domain/shown-settings.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { badInput, forAdmins, forReaders, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, type Call, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, readActor, write } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { createTeamStore } from '../../modules/people/teams.store.ts'
import { createManagedSettingsStore, type ManagedScope, type ManagedSettingsRecord } from './managed-settings.store.ts'
import { mergeSettings, ownSettings } from './merge-settings.ts'

export interface ManagedSettingsPorts extends Pick<RoutePorts, 'database' | 'changed'> {
  readonly snapshot: () => Snapshot
  /** Undefined when the gateway runs without one: then only our own settings are given. */
  readonly findDatabase: () => Database | undefined
}

const tag = 'Managed settings'
const MAX_DEPTH = 20
const document = z.record(z.string(), z.unknown()).superRefine((value, issues) => {
  const message = findMistake(value)
  if (message !== undefined) issues.addIssue({ code: 'custom', message })
})
const body = z.strictObject({ settings: document })
const record = z.object({
  settings: z.record(z.string(), z.unknown()),
  updated_at: z.iso.datetime().nullable(),
  updated_by: z.string().nullable(),
})

export function managedSettingsRoutes(ports: ManagedSettingsPorts): Route[] {
  return [
    clientRoute(ports),
    ...documentRoutes(ports, '/admin/managed-settings', undefined, () => Promise.resolve(null)),
    ...documentRoutes(ports, '/admin/teams/{id}/managed-settings', z.object({ id }), async (params) => {
      const teamId = (params as { id: string }).id
      // From the database and not from memory: another instance may have made the team a moment ago.
      if ((await createTeamStore(ports.database().kysely).find(teamId)) === undefined)
        throw problem('not_found', { what: 'team' })
      return teamId
    }),
  ]
}

function clientRoute(ports: ManagedSettingsPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/managed/settings',
    access: 'self-read',
    tag,
    summary: 'The settings that apply to the caller',
    description: 'With an ETag; the client asks about once an hour.',
    answers: {
      200: {
        text: 'The settings',
        schema: z.object({ uuid: z.string(), checksum: z.string(), settings: z.record(z.string(), z.unknown()) }),
      },
      304: { text: 'As in `if-none-match`' },
      ...forReaders,
      503: { text: 'The database does not answer' },
    },
    handle: async (call) => {
      const teamId = call.caller?.team?.id ?? null
      const database = ports.findDatabase()
      const stored = database === undefined ? [] : await createManagedSettingsStore(database.hot).listFor(teamId)
      const settings = mergeSettings([ownSettings(ports.snapshot().settings.websearch_mode), ...stored])
      const checksum = digest(JSON.stringify(settings))
      const headers = { etag: `"${checksum}"`, 'cache-control': 'private, no-cache' }
      if (isKnown(call.headers['if-none-match'], checksum)) return { status: 304, headers }
      return ok({ uuid: digest(call.caller?.user?.id ?? teamId ?? 'nobody'), checksum, settings }, headers)
    },
  })
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** Quoted, weak or bare: clients write it in all three ways. */
function isKnown(header: string | undefined, checksum: string): boolean {
  return (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '') === checksum)
}

type ScopeReader = (params: unknown) => Promise<ManagedScope>

function documentRoutes(
  ports: ManagedSettingsPorts,
  path: string,
  params: z.ZodType | undefined,
  readScope: ScopeReader,
): Route[] {
  const common = defined({ path, access: 'admin', tag, params })
  const refusals = { ...(params === undefined ? {} : { ...badInput, ...unknownId }), ...forAdmins }
  const whose = params === undefined ? 'of everybody' : 'of a team'
  return [
    apiRoute({
      ...common,
      method: 'GET',
      summary: `Read the settings document ${whose}`,
      answers: { 200: { text: 'The document; empty when there is none', schema: record }, ...refusals },
      handle: async (call) =>
        ok(toBody(await createManagedSettingsStore(ports.database().kysely).find(await readScope(call.params)))),
    }),
    apiRoute({
      ...common,
      method: 'PUT',
      summary: `Replace the settings document ${whose}`,
      description:
        'Any keys that the client knows. The team document is laid over that of everybody; lists of what is denied add up.',
      body,
      answers: { 200: { text: 'The document', schema: record }, ...badInput, ...refusals },
      handle: async (call) =>
        ok(toBody(await putDocument(ports, call, await readScope(call.params), call.body.settings))),
    }),
    apiRoute({
      ...common,
      method: 'DELETE',
      summary: `Delete the settings document ${whose}`,
      answers: { 204: { text: 'Deleted, also when there was none' }, ...refusals },
      handle: async (call) => {
        const scope = await readScope(call.params)
        await write(ports, call, ['settings'], async ({ tx, audit }) => {
          const store = createManagedSettingsStore(tx)
          const before = await store.find(scope)
          if (!(await store.remove(scope))) return
          audit({ action: 'managed_settings.delete', target: toTarget(scope), before: auditedDocument(before) })
        })
        return noContent
      },
    }),
  ]
}

function putDocument(
  ports: ManagedSettingsPorts,
  call: Call<unknown, unknown, unknown>,
  scope: ManagedScope,
  settings: Readonly<Record<string, unknown>>,
): Promise<ManagedSettingsRecord> {
  return write(ports, call, ['settings'], async ({ tx, audit }) => {
    const store = createManagedSettingsStore(tx)
    const before = await store.find(scope)
    const after = await store.put(scope, settings, readActor(call).name)
    audit({
      action: 'managed_settings.update',
      target: toTarget(scope),
      before: auditedDocument(before),
      after: auditedDocument(after),
    })
    return after
  })
}

function auditedDocument(record: ManagedSettingsRecord | undefined): object | undefined {
  return record === undefined ? undefined : shownSettings(record.document)
}

function toTarget(scope: ManagedScope): string {
  return scope === null ? 'managed_settings' : `team:${scope}`
}

function toBody(found: ManagedSettingsRecord | undefined): object {
  return {
    settings: found?.document ?? {},
    updated_at: found?.updatedAt ?? null,
    updated_by: found?.updatedBy ?? null,
  }
}

/** Level by level and not by recursion, which a hostile body could exhaust. */
function findMistake(document: unknown): string | undefined {
  let level: unknown[] = [document]
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    if (level.some(isUnstorable))
      return 'must not have NUL characters, half surrogate pairs or numbers beyond all limits'
    level = level.flatMap((one) => (isNested(one) ? Object.values(one) : []))
    if (level.length === 0) return undefined
  }
  return `must not be nested deeper than ${MAX_DEPTH}`
}

/** What jsonb refuses, and what JSON would write as null. */
function isUnstorable(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  const texts = typeof value === 'string' ? [value] : isNested(value) ? Object.keys(value) : []
  return texts.some((text) => text.includes('\0') || !text.isWellFormed())
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
