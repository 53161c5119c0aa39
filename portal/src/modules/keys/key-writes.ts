/** What can be done with keys: for oneself under /me, for everybody under /admin. Both pages use the same words. */
import { type Answer, api, type Body } from '../../api/client.ts'

export type Key = Answer<'/admin/keys', 'get'>['data'][number]
export type NewKey = Answer<'/admin/keys', 'post'>
export type Owner = 'mine' | 'all'

export const keyPaths = ['/me/keys', '/admin/keys'] as const

export function createKey(owner: Owner, body: Body<'/admin/keys', 'post'>): Promise<NewKey> {
  if (owner === 'all') return api.post('/admin/keys', { body })
  const { name, expires_at } = body
  return api.post('/me/keys', { body: { name, ...(expires_at === undefined ? {} : { expires_at }) } })
}

export function rotateKey(owner: Owner, keyId: string, graceSeconds: number): Promise<NewKey> {
  const init = { params: { path: { key_id: keyId } }, body: { grace_seconds: graceSeconds } }
  return owner === 'all' ? api.post('/admin/keys/{key_id}/rotate', init) : api.post('/me/keys/{key_id}/rotate', init)
}

export function revokeKey(owner: Owner, keyId: string): Promise<unknown> {
  const init = { params: { path: { key_id: keyId } } }
  return owner === 'all' ? api.post('/admin/keys/{key_id}/revoke', init) : api.post('/me/keys/{key_id}/revoke', init)
}

const DAY_MS = 86_400_000
const SOON_MS = 14 * DAY_MS

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked'

type Ends = Pick<Key, 'status' | 'expires_at' | 'revoked_at'>

/** When an active key stops to work, if ever. A rotated one works until its grace is over, or its expiry if that is sooner. */
export function findEnd({ status, expires_at: expiresAt, revoked_at: revokedAt }: Ends): string | null {
  if (status !== 'active' || revokedAt === null) return expiresAt
  return expiresAt === null || new Date(revokedAt) < new Date(expiresAt) ? revokedAt : expiresAt
}

/** A key that ends within two weeks is worth a word before it does. */
export function keyState(key: Ends, nowMs = Date.now()): KeyState {
  if (key.status !== 'active') return key.status
  const end = findEnd(key)
  return end !== null && new Date(end).getTime() - nowMs < SOON_MS ? 'expiring' : 'active'
}

export const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never' },
] as const

export function toExpiry(lifetime: string, nowMs = Date.now()): string | null {
  return lifetime === 'never' ? null : new Date(nowMs + Number(lifetime) * DAY_MS).toISOString()
}
