/** How each section of the snapshot is read and put together. */
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import { toTopUp } from '../../modules/budgets/budget-top-ups.store.ts'
import { toBudget } from '../../modules/budgets/budgets.store.ts'
import { toCapabilityOverride } from '../../modules/endpoints/capability-overrides.store.ts'
import { joinOverrides } from '../../modules/endpoints/endpoints.store.ts'
import { routingRows, toTeamRoutings } from '../../modules/endpoints/team-routing.store.ts'
import { toVirtualKey } from '../../modules/keys/keys.store.ts'
import { toModelMapping } from '../../modules/models/model-mappings.store.ts'
import { toPrice, winningPrices } from '../../modules/models/model-prices.store.ts'
import { layeredPeople, toLayers, withChanges } from '../../modules/people/layered-people.store.ts'
import { toTeam } from '../../modules/people/teams.store.ts'
import { toUser } from '../../modules/people/users.store.ts'
import { mergeSettings } from '../../modules/settings/settings.store.ts'
import { toIdentityProvider } from '../../modules/sign-in/idps.store.ts'
import type { Schema } from '../database/schema.ts'
import type { Budget } from '../domain/budget.ts'
import { addPerson, emptyPeople } from '../domain/people.ts'
import type { Settings } from '../domain/settings.ts'
import type { Section, Snapshot, SnapshotParts } from '../domain/snapshot.ts'
import type { User } from '../domain/user.ts'
import type { VirtualKey } from '../domain/virtual-key.ts'
import { LayeredMap } from '../platform/layered-map.ts'

type Tx = Transaction<Schema>
type Table = 'virtual_keys' | 'users' | 'teams' | 'model_mappings' | 'budgets' | 'budget_top_ups'
type Readers = { readonly [S in Section]: (tx: Tx, reading: Reading) => Promise<SnapshotParts[S]> }

export interface Reading {
  readonly defaults: Settings
  /** By the clock of the database. */
  readonly presentMs: number
  /** Undefined when everything has to be read. */
  readonly since: Since | undefined
}

/** What is known, and of when. */
export interface Since {
  readonly snapshot: Snapshot
  readonly revision: number
  readonly readAtMs: number
}

export function readSection<S extends Section>(tx: Tx, section: S, reading: Reading): Promise<SnapshotParts[S]> {
  return readers[section](tx, reading)
}

const LONG_AGO_MS = 0
/** Half as long as removals are remembered. */
const MAX_AGE_MS = 24 * 60 * 60_000
/** More than this are read as quickly with all the others. */
const MAX_WRITTEN = 10_000
/** Keys that are rotated every day outnumber those in use. For a day they still lend their name to calls that end. */
const notLongEnded = sql<boolean>`least(revoked_at, expires_at) > now() - interval '1 day' or least(revoked_at, expires_at) is null`

/** The moment itself is seen by whoever reads them. Calls that came in before it are charged with what counted then. */
const notLongOver = sql<boolean>`ends_at > now() - interval '1 day'`

const readers: Readers = {
  keys: async (tx, { presentMs, since }) => {
    // What has ended by the clock of the database has ended for every instance, and stays so when its own clock is set back.
    const toKey = (row: RowOf<'virtual_keys'>): VirtualKey => {
      const key = toVirtualKey(row)
      return key.revokedAtMs !== null && key.revokedAtMs <= presentMs ? { ...key, revokedAtMs: LONG_AGO_MS } : key
    }
    const { keysByHash, keysById } = since?.snapshot ?? {}
    const isKnown = keysByHash instanceof LayeredMap && keysById instanceof LayeredMap
    if (since === undefined || !isKnown || !(await isNear(tx, 'virtual_keys', since, presentMs))) {
      const byId = new Map<string, VirtualKey>()
      const byHash = new Map<string, VirtualKey>()
      await readInSlices(tx, 'virtual_keys', notLongEnded, (row) => {
        const key = Object.freeze(toKey(row))
        byHash.set(key.hash, key)
        byId.set(key.id, key)
      })
      return { keysByHash: new LayeredMap(byHash), keysById: new LayeredMap(byId) }
    }
    const endedSince = sql<boolean>`revoked_at between ${new Date(since.readAtMs)} and now()`
    const changed: VirtualKey[] = []
    await readInSlices(tx, 'virtual_keys', sql`${writtenSince(since)} or ${endedSince}`, (row) =>
      changed.push(Object.freeze(toKey(row))),
    )
    const removed = await removedSince(tx, 'keys', since)
    const removedIds = removed.flatMap((hash) => keysByHash.get(hash)?.id ?? [])
    return {
      keysByHash: await keysByHash.with(removed, by(changed, 'hash')),
      keysById: await keysById.with(removedIds, by(changed, 'id')),
    }
  },

  people: async (tx, { presentMs, since }) => {
    const teams = await mapInSlices(tx, 'teams', toTeam, (team) => team.id)
    const known = since && layeredPeople(since.snapshot)
    if (since === undefined || known === undefined || !(await isNear(tx, 'users', since, presentMs))) {
      const people = emptyPeople()
      await readInSlices(tx, 'users', sql`true`, (row) => addPerson(people, Object.freeze(toUser(row))))
      return { ...toLayers(people), teams }
    }
    const removed = await removedSince(tx, 'people', since)
    const changed: User[] = []
    await readInSlices(tx, 'users', writtenSince(since), (row) => changed.push(Object.freeze(toUser(row))))
    return { ...(await withChanges(known, removed, changed)), teams }
  },

  idps: async (tx) => {
    const rows = await tx.selectFrom('idps').selectAll().orderBy('created_at').orderBy('id').execute()
    return { idps: Object.freeze(rows.map((row) => Object.freeze(toIdentityProvider(row)))) }
  },

  endpoints: async (tx) => {
    const rows = await tx.selectFrom('endpoints').selectAll().orderBy('priority').orderBy('name').execute()
    const overrides = await tx.selectFrom('aip_overrides').selectAll().orderBy('model_id').execute()
    const all = joinOverrides(rows, overrides).map((endpoint) => Object.freeze(endpoint))
    const routings = toTeamRoutings(await routingRows(tx).execute())
    return {
      endpoints: frozenMap(all.map((endpoint) => [endpoint.id, endpoint])),
      defaultEndpoint: all.find((endpoint) => endpoint.isDefault) ?? null,
      teamRouting: frozenMap(routings.map((routing) => [routing.teamId, Object.freeze(routing)])),
    }
  },

  mappings: async (tx) => ({
    mappings: await mapInSlices(tx, 'model_mappings', toModelMapping, (mapping) => mapping.vendorPrefix),
  }),

  prices: async (tx) => {
    const rows = await tx.selectFrom('model_prices').selectAll().execute()
    return { prices: frozenMap(winningPrices(rows.map((row) => Object.freeze(toPrice(row))))) }
  },

  settings: async (tx, { defaults }) => ({
    settings: mergeSettings(await tx.selectFrom('proxy_settings').select(['key', 'value']).execute(), defaults),
  }),

  budgets: async (tx) => {
    const budgets = await mapInSlices(tx, 'budgets', toBudget, (budget) => `${budget.scope}:${budget.subjectId}`)
    const ofScope = (scope: Budget['scope']) =>
      frozenMap([...budgets.values()].filter((one) => one.scope === scope).map((one) => [one.subjectId, one]))
    const topUps = await mapInSlices(tx, 'budget_top_ups', toTopUp, (topUp) => topUp.id, notLongOver)
    const topUpsOf = (scope: Budget['scope']) =>
      frozenMap(
        Map.groupBy(
          [...topUps.values()].filter((one) => one.scope === scope),
          (one) => one.subjectId,
        ),
      )
    return {
      userBudgets: ofScope('user'),
      teamBudgets: ofScope('team'),
      userTopUps: topUpsOf('user'),
      teamTopUps: topUpsOf('team'),
    }
  },

  capabilities: async (tx) => {
    const rows = await tx.selectFrom('capability_overrides').selectAll().execute()
    return { capabilityOverrides: Object.freeze(rows.map((row) => Object.freeze(toCapabilityOverride(row)))) }
  },

  sessions: async (tx) => {
    const revoked = new Set<string>()
    for await (const rows of slices<{ id: string }>(tx, sql`select id from revoked_sessions where expires_at > now()`))
      for (const row of rows) revoked.add(row.id)
    return { revokedSessions: revoked }
  },
}

/** Whether reading what was written since is enough, and less than reading everything. */
async function isNear(tx: Tx, table: 'virtual_keys' | 'users', since: Since, presentMs: number): Promise<boolean> {
  const ageMs = presentMs - since.readAtMs
  if (ageMs < 0 || ageMs >= MAX_AGE_MS) return false
  const { rows } = await sql<{ written: number }>`
    select count(*)::integer as written from (
      select from ${sql.table(table)} where ${writtenSince(since)} limit ${MAX_WRITTEN + 1}) counted`.execute(tx)
  return (rows[0]?.written ?? 0) <= MAX_WRITTEN
}

function by<V extends object, N extends keyof V>(values: readonly V[], name: N): (readonly [V[N], V])[] {
  return values.map((value) => [value[name], value])
}

/** Those of the known version again: somebody may have written a row before the version was raised. */
function writtenSince({ revision }: Since): RawBuilder<boolean> {
  return sql<boolean>`revision >= ${revision}`
}

async function removedSince(tx: Tx, section: 'keys' | 'people', { revision }: Since): Promise<readonly string[]> {
  const query = tx.selectFrom('snapshot_removals').select('key').where('section', '=', section)
  const rows = await query.where('revision', '>=', revision).execute()
  return rows.map(({ key }) => key)
}

type RowOf<T extends Table> = Selectable<Schema[T]>

async function mapInSlices<T extends Table, V>(
  tx: Tx,
  table: T,
  toValue: (row: RowOf<T>) => V,
  keyOf: (value: V) => string,
  condition = sql<boolean>`true`,
): Promise<ReadonlyMap<string, V>> {
  const map = new Map<string, V>()
  await readInSlices(tx, table, condition, (row) => {
    const value = Object.freeze(toValue(row))
    map.set(keyOf(value), value)
  })
  return frozenMap(map)
}

async function readInSlices<T extends Table>(
  tx: Tx,
  table: T,
  condition: RawBuilder<boolean>,
  onRow: (row: RowOf<T>) => void,
): Promise<void> {
  for await (const rows of slices<RowOf<T>>(tx, sql`select * from ${sql.table(table)} where ${condition}`))
    for (const row of rows) onRow(row)
}

/** Small enough that one slice is parsed and mapped in a few milliseconds while requests go on in between. */
const SLICE_ROWS = 500

async function* slices<R>(tx: Tx, query: RawBuilder<R>): AsyncGenerator<readonly R[]> {
  await sql`declare slices no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.raw(String(SLICE_ROWS))} from slices`.execute(tx)
    yield rows
    if (rows.length < SLICE_ROWS) break
  }
  await sql`close slices`.execute(tx)
}

/** A map that nobody can change, also not through a cast: every request shares it. */
function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = entries instanceof Map ? (entries as Map<K, V>) : new Map(entries)
  for (const name of ['set', 'delete', 'clear'] as const)
    Object.defineProperty(map, name, {
      value: () => {
        throw new TypeError('the snapshot is immutable')
      },
    })
  return Object.freeze(map)
}
