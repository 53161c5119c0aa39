/**
 * A large map that nobody changes, with few changes on top: the next one is made in the time that its changes take, and
 * whoever holds this one still sees what it was.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** They are copied for each further one. */
const MAX_CHANGES = 2_000
/** So many take well under a millisecond. */
const COPIED_AT_ONCE = 2_000

export class LayeredMap<K, V extends object> implements ReadonlyMap<K, V> {
  readonly size: number
  readonly #base: ReadonlyMap<K, V>
  readonly #changes: ReadonlyMap<K, V>
  /** Of the base. */
  readonly #gone: ReadonlySet<K>

  constructor(base: ReadonlyMap<K, V>, changes: ReadonlyMap<K, V> = new Map(), gone: ReadonlySet<K> = new Set()) {
    this.#base = base
    this.#changes = changes
    this.#gone = gone
    let added = 0
    for (const key of changes.keys()) if (!base.has(key)) added += 1
    this.size = base.size + added - gone.size
    Object.freeze(this)
  }

  get(key: K): V | undefined {
    return this.#changes.get(key) ?? (this.#gone.has(key) ? undefined : this.#base.get(key))
  }

  has(key: K): boolean {
    return this.get(key) !== undefined
  }

  *entries(): MapIterator<[K, V]> {
    for (const entry of this.#base) if (this.#isAsItWas(entry[0])) yield entry
    yield* this.#changes
  }

  *keys(): MapIterator<K> {
    for (const key of this.#base.keys()) if (this.#isAsItWas(key)) yield key
    yield* this.#changes.keys()
  }

  *values(): MapIterator<V> {
    for (const [key, value] of this.#base) if (this.#isAsItWas(key)) yield value
    yield* this.#changes.values()
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(tell: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) tell(value, key, this)
  }

  #isAsItWas(key: K): boolean {
    return !this.#changes.has(key) && !this.#gone.has(key)
  }

  /** What is gone, then what is there: a key that is in both is there. Calls go on while many changes are made one map. */
  async with(gone: Iterable<K>, there: Iterable<readonly [K, V]>): Promise<LayeredMap<K, V>> {
    const changes = new Map(this.#changes)
    const allGone = new Set(this.#gone)
    for (const key of gone) {
      changes.delete(key)
      if (this.#base.has(key)) allGone.add(key)
    }
    for (const [key, value] of there) {
      changes.set(key, value)
      allGone.delete(key)
    }
    const changed = new LayeredMap(this.#base, changes, allGone)
    return changes.size + allGone.size <= MAX_CHANGES ? changed : new LayeredMap(await copied(changed))
  }
}

async function copied<K, V extends object>(map: LayeredMap<K, V>): Promise<ReadonlyMap<K, V>> {
  const copy = new Map<K, V>()
  for (const [key, value] of map) {
    copy.set(key, value)
    if (copy.size % COPIED_AT_ONCE === 0) await nextTurn()
  }
  return copy
}
