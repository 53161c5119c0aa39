/** Seals secrets that must be stored (AES-256-GCM): each opens only with the same key and for the row it was made for. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** `context` names the place of the secret, such as `idps.client_secret:<id>`. */
  readonly seal: (plain: string, context: string) => Buffer
  /** Throws `UnreadableSecretError` when the key or the place is another one, or a bit has changed. */
  readonly open: (sealed: Uint8Array, context: string) => string
}

/** What routes that store secrets of others work with. */
export interface SecretPorts {
  /** `context` names the row that the secret belongs to; it opens nowhere else. */
  readonly encryptSecret: (plain: string, context: string) => Buffer
  readonly decryptSecret: (sealed: Buffer, context: string) => string
}

/** Only storing the secret again helps, or the SECRET_KEY from before. */
export class UnreadableSecretError extends Error {
  constructor(cause?: unknown) {
    super('A stored secret cannot be opened: it was sealed with another SECRET_KEY, or it has been changed.', { cause })
    this.name = 'UnreadableSecretError'
  }
}

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const MIN_SECRET_BYTES = 32
const CIPHER = 'aes-256-gcm'
/** Part of the derivation, so that the same secret used elsewhere gives another key. */
const PURPOSE = 'causeway secret box 1'

/** `secret` is SECRET_KEY or the key that the database keeps. */
export function createSecretBox(secret: Uint8Array): SecretBox {
  if (secret.byteLength < MIN_SECRET_BYTES) throw new Error(`A secret box needs at least ${MIN_SECRET_BYTES} bytes.`)
  const key = Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES))
  return {
    seal(plain, context) {
      // Random nonces repeat by chance after some 2^32 seals under one key; administrators do not type that often.
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(associated(context))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, body, cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new UnreadableSecretError()
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
      const body = sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES)
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(associated(context))
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new UnreadableSecretError(cause)
      }
    },
  }
}

/** The version too: a later one must not be read as an earlier one. */
function associated(context: string): Buffer {
  return Buffer.from(`${VERSION} ${context}`)
}
