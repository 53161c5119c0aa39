/** Makes and recognises provisioning tokens. Only the hash is kept. */
import { createHash, randomBytes } from 'node:crypto'

export const SCIM_TOKEN_PREFIX = 'scim-'
const SHOWN_LENGTH = 12

export interface MadeScimToken {
  readonly token: string
  readonly hash: Buffer
  readonly prefix: string
}

export function makeScimToken(): MadeScimToken {
  const token = SCIM_TOKEN_PREFIX + randomBytes(32).toString('base64url')
  return { token, hash: hashScimToken(token), prefix: token.slice(0, SHOWN_LENGTH) }
}

/** No salt and no slow hash: 256 random bits cannot be guessed. */
export function hashScimToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
