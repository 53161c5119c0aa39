/** Counts failed sign-ins, by source address to refuse and by user name to slow down; in bounded memory. */
import { SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'
import { findAddressFamily } from '../../foundation/platform/address-range.ts'
import type { Clock } from '../../foundation/platform/clock.ts'

const WINDOW_MS = 5 * 60_000
const MAX_FAILURES = 10
const MAX_REMEMBERED = 10_000
const SLOW_STEP_MS = 100
const SLOWEST_MS = 2_000

export interface LoginThrottle {
  /** 0 when this address may try, else the whole seconds until it may. */
  readonly retryAfterSeconds: (address: string) => number
  /** How long the answer to a wrong password should be held back. */
  readonly recordFailure: (address: string, username: string) => number
  readonly recordSuccess: (address: string) => void
}

/**
 * Only the address refuses. A counter by user name that refused would let anyone lock the break-glass administrator out,
 * so it merely delays wrong passwords.
 */
export function createLoginThrottle(clock: Clock, maxRemembered: number = MAX_REMEMBERED): LoginThrottle {
  const failuresByAddress = new LRUCache<string, number[]>({ max: maxRemembered })
  const failuresByName = new LRUCache<string, number[]>({ max: maxRemembered })
  return {
    retryAfterSeconds(address) {
      const failures = recent(failuresByAddress.get(toSource(address)), clock.monotonicMs())
      const oldestMs = failures[0]
      if (failures.length < MAX_FAILURES || oldestMs === undefined) return 0
      return Math.max(1, Math.ceil((oldestMs + WINDOW_MS - clock.monotonicMs()) / 1000))
    },
    recordFailure(address, username) {
      add(failuresByAddress, toSource(address), clock.monotonicMs(), MAX_FAILURES)
      const slots = MAX_FAILURES + SLOWEST_MS / SLOW_STEP_MS
      const count = add(failuresByName, username.slice(0, 320), clock.monotonicMs(), slots)
      return Math.min(SLOWEST_MS, Math.max(0, count - MAX_FAILURES) * SLOW_STEP_MS)
    },
    recordSuccess(address) {
      failuresByAddress.delete(toSource(address))
    },
  }
}

function recent(stamps: readonly number[] | undefined, nowMs: number): number[] {
  return stamps?.filter((stampMs) => stampMs > nowMs - WINDOW_MS) ?? []
}

function add(failures: LRUCache<string, number[]>, id: string, nowMs: number, slots: number): number {
  const stamps = [...recent(failures.get(id), nowMs), nowMs].slice(-slots)
  failures.set(id, stamps)
  return stamps.length
}

/** One subscriber owns a whole IPv6 /64, so the network counts and not the address. */
export function toSource(text: string): string {
  const bare = text.split('%')[0] ?? text
  const family = findAddressFamily(bare)
  if (family === undefined) return text.slice(0, 64)
  const { address } = new SocketAddress({ address: bare, family })
  // A socket for both families shows an IPv4 address this way.
  const mapped = /^::ffff:(\d+\.[\d.]+)$/.exec(address)?.[1]
  return family === 'ipv4' ? address : (mapped ?? `${firstGroups(address)}/64`)
}

/** The first 64 bits of an IPv6 address in its canonical form. */
function firstGroups(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4).join(':')
}
