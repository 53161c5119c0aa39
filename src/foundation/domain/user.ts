import type { Grant } from './access.ts'

/** Users are named by what identity providers send, so the bounds of both are the same. */
export const MAX_SUBJECT_LENGTH = 320

/** Control and invisible characters make two names look alike, and half a surrogate pair cannot be stored. */
export function hasInvisible(name: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
}

export type Role = 'member' | 'admin'

export interface User {
  readonly id: string
  readonly subject: string
  readonly email: string | null
  readonly role: Role
  /** What administrators let a person see beside the role. */
  readonly grants: readonly Grant[]
  readonly teamId: string | null
  readonly active: boolean
  /** The identity this user is pinned to since the first sign-in through a provider. */
  readonly identity: { readonly issuer: string; readonly subject: string } | null
  /** The break-glass administrator; no identity provider may claim this name. */
  readonly bootstrap: boolean
  /** Sessions carry it; raising it ends every session issued before. */
  readonly sessionEpoch: number
  readonly createdAt: string
}
