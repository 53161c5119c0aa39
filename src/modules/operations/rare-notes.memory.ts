/**
 * Things worth a write now and then: each name is handed out once in a pause, however often it is noted.
 * Losing it costs one write for each name and the last few seconds of what was noted.
 */
import type { Clock } from '../../foundation/platform/clock.ts'

export interface RareNotes<T> {
  /** One look-up for what was noted in this pause. */
  readonly note: (name: string, make: (nowMs: number) => T) => void
  /** What has come since the last time. */
  readonly take: () => readonly T[]
  /** What was taken last could not be stored: the next note of each name counts again. */
  readonly forget: () => void
}

export interface RareNotesOptions {
  readonly clock: Clock
  readonly pauseMs: number
  /** Bounds the memory; forgetting a name only costs one more write. */
  readonly maxNames: number
}

export function createRareNotes<T>({ clock, pauseMs, maxNames }: RareNotesOptions): RareNotes<T> {
  const notedAtMs = new Map<string, number>()
  let waiting: { readonly name: string; readonly value: T }[] = []
  let taken: readonly string[] = []
  return {
    note: (name, make) => {
      const nowMs = clock.nowMs()
      const lastMs = notedAtMs.get(name)
      if (lastMs !== undefined && nowMs - lastMs < pauseMs) return
      if (notedAtMs.size >= maxNames) notedAtMs.clear()
      if (waiting.length >= maxNames) return
      notedAtMs.set(name, nowMs)
      waiting.push({ name, value: make(nowMs) })
    },
    take: () => {
      // A name stands twice when its memory was cleared in between; the later one says more.
      const latest = new Map(waiting.map(({ name, value }) => [name, value]))
      waiting = []
      taken = [...latest.keys()]
      return [...latest.values()]
    },
    forget: () => {
      for (const name of taken) notedAtMs.delete(name)
    },
  }
}
