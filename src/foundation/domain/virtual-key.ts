export const VIRTUAL_KEY_PREFIX = 'sk-proxy-'

export interface VirtualKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the whole key, hex. The key itself is never stored. */
  readonly hash: string
  readonly prefix: string
  readonly userId: string | null
  readonly teamId: string | null
  readonly rateLimitRpm: number | null
  /** Exact client model ids; null allows all. */
  readonly allowedModels: readonly string[] | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly createdAt: string
}

export type KeyStatus = 'active' | 'revoked' | 'expired'

export function keyStatus(key: Pick<VirtualKey, 'expiresAtMs' | 'revokedAtMs'>, nowMs: number): KeyStatus {
  // A rotated key is revoked in the future: it lives until its grace time ends.
  if (key.revokedAtMs !== null && key.revokedAtMs <= nowMs) return 'revoked'
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active'
}
