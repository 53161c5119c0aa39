/** Makes and recognises virtual keys. The key itself exists only in its owner's hands: everything here works on its hash. */
import { hash, randomBytes } from 'node:crypto'
import { VIRTUAL_KEY_PREFIX } from '../../foundation/domain/virtual-key.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 43 characters of 62 carry 256.03 bits; 42 would carry 250. */
const RANDOM_LENGTH = 43
const SHOWN_PREFIX_LENGTH = 16
/** The largest multiple of 62 in a byte; larger bytes are thrown away, or the first letters would come up more often. */
const UNBIASED_BELOW = 248

export interface NewVirtualKey {
  readonly key: string
  readonly hash: string
  readonly prefix: string
}

export function makeVirtualKey(random: (size: number) => Uint8Array = randomBytes): NewVirtualKey {
  let tail = ''
  while (tail.length < RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH + 8)) {
      if (byte < UNBIASED_BELOW && tail.length < RANDOM_LENGTH) tail += ALPHABET[byte % 62]
    }
  }
  const key = VIRTUAL_KEY_PREFIX + tail
  return { key, hash: hashVirtualKey(key), prefix: virtualKeyPrefix(key) }
}

/** No salt and no slow hash: 256 random bits cannot be guessed, and the look-up happens on every request. */
export function hashVirtualKey(key: string): string {
  return hash('sha256', key, 'hex')
}

export function virtualKeyPrefix(key: string): string {
  return key.slice(0, SHOWN_PREFIX_LENGTH)
}

export function isVirtualKeyShaped(value: string): boolean {
  return value.startsWith(VIRTUAL_KEY_PREFIX)
}
