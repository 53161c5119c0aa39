/** Holds the current snapshot and replaces it. Losing it on restart is safe: it is read again before the first request. */
import type { Section, Snapshot } from '../domain/snapshot.ts'

export interface SnapshotSource {
  readonly readVersions: () => Promise<Readonly<Record<Section, number>>>
  /** Reads the sections whose version differs from `previous`, and reuses the others. */
  readonly readSnapshot: (previous: Snapshot | undefined) => Promise<Snapshot>
}

export interface SnapshotHolder {
  readonly current: () => Snapshot
  readonly isLoaded: () => boolean
  /** Reads what changed now; a change made before the call is in the snapshot when it resolves. */
  readonly reload: () => Promise<void>
  /** Asks for the versions and reloads when one differs. */
  readonly poll: () => Promise<void>
}

export function createSnapshotHolder(
  initial: Snapshot | undefined,
  source: SnapshotSource | undefined,
): SnapshotHolder {
  let held = initial
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const readOnce = async (): Promise<void> => {
    if (source === undefined) return
    // The version is only ever taken from a snapshot that was read whole: a failed reload leaves the old
    // version in place, so the next poll sees the difference again.
    held = await source.readSnapshot(held)
  }

  const start = (): Promise<void> => {
    const run = readOnce().finally(() => {
      running = undefined
    })
    running = run
    return run
  }

  const reload = (): Promise<void> => {
    if (running === undefined) return start()
    // A read that began before the caller's write may miss it, so the caller waits for one that begins after.
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }

  return {
    current: () => {
      if (held === undefined) throw new Error('the snapshot was asked for before it was loaded')
      return held
    },
    isLoaded: () => held !== undefined,
    reload,
    poll: async () => {
      if (source === undefined) return
      const versions = await source.readVersions()
      const known = held?.versions
      const changed =
        known === undefined || Object.entries(versions).some(([name, version]) => known[name as Section] !== version)
      if (changed) await reload()
    },
  }
}
