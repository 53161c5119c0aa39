import type { TokenPrices } from './aws/model-catalog.ts'
import { type Pace, refuseUnknown, requireObject, type TokenMode } from './behaviour.ts'

export type QuotaSetting = {
  readonly name: string
  readonly value: number
  readonly code?: string
  readonly account?: string
  readonly region?: string
}

export type Settings = {
  readonly pace: Pace
  readonly tokenMode: TokenMode
  /** 'none' serves any body: for load tests, where checking would cost more than answering. */
  readonly checks: 'strict' | 'none'
  /** 'fixed' answers every call with the same short text without reading the body. */
  readonly answers: 'conversation' | 'fixed'
  readonly profilePageSize: number
  readonly quotaPageSize: number
  readonly clockSkewSeconds: number
  /** Moves the simulator's clock: ages prompt caches and sessions without waiting. */
  readonly clockOffsetSeconds: number
  /** Extra or replaced quotas, by name. */
  readonly quotas: readonly QuotaSetting[]
  /** Replaced prices by foundation model id, seen by the price list only. */
  readonly prices: Readonly<Record<string, Partial<TokenPrices>>>
  readonly recentRequests: number
}

export const testSettings: Settings = {
  pace: { eventsPerSecond: null, firstEventDelayMs: 0 },
  tokenMode: 'counted',
  checks: 'strict',
  answers: 'conversation',
  profilePageSize: 7,
  quotaPageSize: 8,
  clockSkewSeconds: 300,
  clockOffsetSeconds: 0,
  quotas: [],
  prices: {},
  recentRequests: 200,
}

export const demoPace: Pace = { eventsPerSecond: 30, firstEventDelayMs: 500 }

export function mergeSettings(current: Settings, change: unknown): Settings {
  const patch = requireObject(change, 'settings')
  refuseUnknown(patch, Object.keys(testSettings), 'settings')
  const merged = { ...current, ...patch } as Settings
  return { ...merged, pace: { ...current.pace, ...(patch['pace'] as Partial<Pace> | undefined) } }
}
