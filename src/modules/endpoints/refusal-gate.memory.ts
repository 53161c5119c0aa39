/** Thins out the records of rate-limit refusals: a client that hammers must not fill the request log. Forgotten on restart, which costs a few rows. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../foundation/platform/clock.ts'

const PAUSE_MS = 1_000
const MAX_KEYS = 10_000

export function createRefusalGate(clock: Pick<Clock, 'monotonicMs'>): (keyId: string) => boolean {
  const lastMs = new LRUCache<string, number>({ max: MAX_KEYS })
  return (keyId) => {
    const nowMs = clock.monotonicMs()
    const last = lastMs.get(keyId)
    if (last !== undefined && nowMs - last < PAUSE_MS) return false
    lastMs.set(keyId, nowMs)
    return true
  }
}
