import { createHash } from 'node:crypto'
import type { CacheTtl, PromptSegment } from './prompt-segments.ts'
import { countTokens } from './token-counter.ts'

export type PromptCount = {
  readonly total: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
}

export type CacheScope = {
  readonly account: string
  readonly region: string
  readonly foundationModelId: string
  /** Shorter prefixes are not cached, whatever the request asks. */
  readonly minimumTokens: number
  readonly nowMs: number
}

const TTL_MS: Readonly<Record<CacheTtl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 }

/** How many blocks before a breakpoint are looked at for an earlier entry. */
const LOOKBACK_BLOCKS = 20

type CacheEntry = { readonly ttl: CacheTtl; readonly expiresAtMs: number }
type Position = { readonly hash: string; readonly tokens: number; readonly breakpoint: CacheTtl | undefined }

export type PromptCache = {
  count(segments: readonly PromptSegment[], scope: CacheScope): Promise<PromptCount>
  clear(): void
}

export async function countPrompt(segments: readonly PromptSegment[]): Promise<number> {
  let total = 0
  for (const segment of segments) total += (await countTokens(segment.text)) + segment.fixedTokens
  return total
}

export function createPromptCache(): PromptCache {
  const entries = new Map<string, CacheEntry>()
  return {
    async count(segments, scope) {
      const positions = await toPositions(segments, scope)
      const total = positions.at(-1)?.tokens ?? 0
      const lastBreakpoint = positions.findLastIndex(
        (p) => p.breakpoint !== undefined && p.tokens >= scope.minimumTokens,
      )
      if (lastBreakpoint < 0) return { total, input: total, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }
      const hit = findHit(entries, positions, lastBreakpoint, scope.nowMs)
      const cacheRead = hit < 0 ? 0 : (positions[hit]?.tokens ?? 0)
      const written = { '5m': 0, '1h': 0 }
      let from = cacheRead
      for (const [index, position] of positions.entries()) {
        if (index > lastBreakpoint) break
        if (position.breakpoint === undefined || position.tokens < scope.minimumTokens) continue
        if (index > hit) {
          written[position.breakpoint] += position.tokens - from
          from = position.tokens
        }
        entries.set(position.hash, { ttl: position.breakpoint, expiresAtMs: scope.nowMs + TTL_MS[position.breakpoint] })
      }
      refresh(entries, positions[hit]?.hash, scope.nowMs)
      const cached = positions[lastBreakpoint]?.tokens ?? 0
      return { total, input: total - cached, cacheRead, cacheWrite5m: written['5m'], cacheWrite1h: written['1h'] }
    },
    clear: () => entries.clear(),
  }
}

async function toPositions(segments: readonly PromptSegment[], scope: CacheScope): Promise<readonly Position[]> {
  const positions: Position[] = []
  let hash = `${scope.account}\n${scope.region}\n${scope.foundationModelId}`
  let tokens = 0
  for (const segment of segments) {
    hash = createHash('sha256').update(hash).update(segment.identity).digest('base64')
    tokens += (await countTokens(segment.text)) + segment.fixedTokens
    positions.push({ hash, tokens, breakpoint: segment.breakpoint })
  }
  return positions
}

function findHit(
  entries: Map<string, CacheEntry>,
  positions: readonly Position[],
  from: number,
  nowMs: number,
): number {
  const oldest = Math.max(0, from - LOOKBACK_BLOCKS)
  for (let index = from; index >= 0; index -= 1) {
    const position = positions[index]
    if (position === undefined || (index < oldest && position.breakpoint === undefined)) continue
    const entry = entries.get(position.hash)
    if (entry && entry.expiresAtMs > nowMs) return index
  }
  return -1
}

/** A hit starts the entry's time again. */
function refresh(entries: Map<string, CacheEntry>, hash: string | undefined, nowMs: number): void {
  const entry = hash === undefined ? undefined : entries.get(hash)
  if (hash !== undefined && entry) entries.set(hash, { ttl: entry.ttl, expiresAtMs: nowMs + TTL_MS[entry.ttl] })
}
