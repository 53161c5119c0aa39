/** The keys of the snapshot. */
import { sql } from 'kysely'
import type { VirtualKey } from '../../foundation/domain/virtual-key.ts'
import { LayeredMap } from '../../foundation/platform/layered-map.ts'
import {
  isNear,
  type RowOf,
  readInSlices,
  removedSince,
  type SectionReader,
  writtenSince,
} from '../../foundation/snapshot/snapshot-sections.store.ts'
import { toVirtualKey } from './keys.store.ts'

const LONG_AGO_MS = 0
/** Keys that are rotated every day outnumber those in use. For a day they still lend their name to calls that end. */
const notLongEnded = sql<boolean>`least(revoked_at, expires_at) > now() - interval '1 day' or least(revoked_at, expires_at) is null`

export const readKeySection: SectionReader<'keys'> = async (tx, { presentMs, since }) => {
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
}

function by<V extends object, N extends keyof V>(values: readonly V[], name: N): (readonly [V[N], V])[] {
  return values.map((value) => [value[name], value])
}
