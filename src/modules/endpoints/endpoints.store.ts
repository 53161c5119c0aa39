/** Endpoints with their AIP overrides. Writes touch the section `endpoints`; `remove` also `capabilities`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AipOverrideTable, EndpointTable, Schema } from '../../foundation/database/schema.ts'
import type { AipOverride, Endpoint } from '../../foundation/domain/endpoint.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { toAipOverride } from './aip-overrides.store.ts'

export type NewEndpoint = Omit<Endpoint, 'id' | 'isDefault' | 'aipOverrides' | 'createdAt'>

export type EndpointPatch = Partial<NewEndpoint>

type Row = Selectable<EndpointTable>

function toEndpoint(row: Row, aipOverrides: readonly AipOverride[]): Endpoint {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    routingPrefix: row.routing_prefix,
    priority: row.priority,
    enabled: row.enabled,
    isDefault: row.is_default,
    roleArn: row.role_arn,
    externalId: row.external_id,
    inferenceProfileArn: row.inference_profile_arn,
    aipOverrides,
    createdAt: row.created_at.toISOString(),
  }
}

/** Pairs every endpoint with its overrides. */
export function joinOverrides(rows: readonly Row[], overrides: readonly Selectable<AipOverrideTable>[]): Endpoint[] {
  const byEndpoint = Map.groupBy(overrides, (override) => override.endpoint_id)
  return rows.map((row) => toEndpoint(row, (byEndpoint.get(row.id) ?? []).map(toAipOverride)))
}

function toRow(endpoint: NewEndpoint) {
  return {
    id: newId(),
    name: endpoint.name,
    region: endpoint.region,
    routing_prefix: endpoint.routingPrefix,
    priority: endpoint.priority,
    enabled: endpoint.enabled,
    role_arn: endpoint.roleArn,
    external_id: endpoint.externalId,
    inference_profile_arn: endpoint.inferenceProfileArn,
  }
}

export function createEndpointStore(db: Kysely<Schema>) {
  const find = async (id: string): Promise<Endpoint | undefined> => {
    const rows = await db.selectFrom('endpoints').selectAll().where('id', '=', id).execute()
    const overrides = await db.selectFrom('aip_overrides').selectAll().where('endpoint_id', '=', id).execute()
    return joinOverrides(rows, overrides)[0]
  }

  return {
    find,

    /** In the order in which they are tried: lower priority number first. */
    list: async (): Promise<readonly Endpoint[]> => {
      const rows = await db.selectFrom('endpoints').selectAll().orderBy('priority').orderBy('name').execute()
      return joinOverrides(rows, await db.selectFrom('aip_overrides').selectAll().orderBy('model_id').execute())
    },

    /** The first endpoint becomes the default, so that exactly one always is. */
    insert: async (endpoint: NewEndpoint): Promise<Endpoint> => {
      const row = await db
        .insertInto('endpoints')
        .values({
          ...toRow(endpoint),
          is_default: sql<boolean>`${endpoint.enabled} and not exists (select 1 from endpoints where is_default)`,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toEndpoint(row, [])
    },

    /** First start: makes the default endpoint unless any endpoint exists. Any number of instances may try at once. */
    insertFirst: async (endpoint: NewEndpoint): Promise<Endpoint | undefined> => {
      const values = toRow(endpoint)
      const inserted = await sql<Row>`
        insert into endpoints (id, name, region, routing_prefix, priority, enabled, is_default)
        select ${values.id}::uuid, ${values.name}, ${values.region}, ${values.routing_prefix},
          ${values.priority}::integer, true, true
        where not exists (select 1 from endpoints)
        on conflict do nothing
        returning *`.execute(db)
      const row = inserted.rows[0]
      return row && toEndpoint(row, [])
    },

    update: async (id: string, patch: EndpointPatch): Promise<Endpoint | undefined> => {
      const values = {
        name: patch.name,
        region: patch.region,
        routing_prefix: patch.routingPrefix,
        priority: patch.priority,
        enabled: patch.enabled,
        role_arn: patch.roleArn,
        external_id: patch.externalId,
        inference_profile_arn: patch.inferenceProfileArn,
      }
      if (Object.values(values).some((value) => value !== undefined))
        await db.updateTable('endpoints').set(values).where('id', '=', id).execute()
      return find(id)
    },

    /** The default must be enabled; undefined when the endpoint is disabled or gone. */
    makeDefault: async (id: string): Promise<Endpoint | undefined> => {
      const target = await find(id)
      if (target === undefined || !target.enabled) return undefined
      // Two statements: the index that allows one default only is checked row by row, not at the end of a statement.
      await db.updateTable('endpoints').set({ is_default: false }).where('is_default', '=', true).execute()
      await db.updateTable('endpoints').set({ is_default: true }).where('id', '=', id).execute()
      return { ...target, isDefault: true }
    },

    /** Never removes the default one. */
    remove: async (id: string): Promise<boolean> => {
      const result = await db
        .deleteFrom('endpoints')
        .where('id', '=', id)
        .where('is_default', '=', false)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export type EndpointStore = ReturnType<typeof createEndpointStore>
