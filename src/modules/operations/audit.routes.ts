/** The audit trail, for reading only. */

import { z } from 'zod'
import { type AuditRecord, createAuditStore } from '../../foundation/database/audit.ts'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { text, time } from '../../foundation/http/fields.ts'
import { describePage, idsQuery, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { findNames } from '../spend/usage/usage-names.store.ts'

const filter = z.strictObject({
  ...listQuery,
  ...idsQuery,
  actor: text(320).optional(),
  action: text(100).optional(),
  target: text(400).optional(),
  from: time.optional(),
  to: time.optional(),
})

const auditSchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  actor: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  target_name: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  source_address: z.string().nullable(),
  request_id: z.string().nullable(),
})

export function auditRoutes(ports: RoutePorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/admin/audit',
      access: 'admin',
      grants: ['audit:read'],
      tag: 'Audit',
      summary: 'Read the audit trail',
      description:
        'Newest first. `actor`, `action` and `target` match exactly, `q` looks in all three; `from` is included, `to` is not. `target_name` is what a person, team, key, endpoint or identity provider is called now or was last. `sort`: at.',
      query: filter,
      answers: { 200: { text: 'Who did what', schema: describePage(auditSchema) }, ...badInput, ...forAdmins },
      handle: async ({ query: { actor, action, target, from, to, ...request } }) => {
        if (from !== undefined && to !== undefined && from > to)
          throw invalidParameter('from', 'must not be after "to".')
        const { kysely } = ports.database()
        const page = await createAuditStore(kysely).list({
          ...request,
          ...defined({ actor, action, target, fromMs: from, toMs: to }),
        })
        const names = await findNames(kysely, page.data.map(idOfTarget))
        return ok(mapPage(page, (entry) => auditBody(entry, names)))
      },
    }),
  ]
}

/** Targets are a kind and an id: `user:0190…`. */
function idOfTarget({ target }: AuditRecord): string | null {
  return target?.slice(target.indexOf(':') + 1) ?? null
}

function auditBody(entry: AuditRecord, names: ReadonlyMap<string, string>) {
  const { sourceAddress, requestId, ...rest } = entry
  return {
    ...rest,
    target_name: names.get(idOfTarget(entry) ?? '') ?? ownName(entry),
    source_address: sourceAddress,
    request_id: requestId,
  }
}

/** Nothing else keeps the name of an identity provider that is gone. */
function ownName({ action, before, after }: AuditRecord): string | null {
  if (!action.startsWith('idp.')) return null
  const { name } = (after ?? before ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : null
}
