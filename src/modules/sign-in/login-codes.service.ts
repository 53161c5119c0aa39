/** The two codes of a sign-in from a terminal: a secret for the program that polls, a short one for the person who compares. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { ConflictError } from '../../foundation/database/store-errors.ts'

/** RFC 8628 6.1: consonants only, so that no code spells a word, and none looks like another. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const USER_CODE_LETTERS = 8
const SECRET_BYTES = 32
const ATTEMPTS = 5

export function makeSecretCode(): { readonly code: string; readonly hash: Buffer } {
  const code = randomBytes(SECRET_BYTES).toString('base64url')
  return { code, hash: hashSecretCode(code) }
}

export function hashSecretCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

function makeUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LETTERS }, () => alphabet[randomInt(alphabet.length)])
  return letters.join('')
}

/** As people read it. */
export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** However it was typed; undefined when it cannot be one. */
export function findUserCode(typed: string): string | undefined {
  const letters = typed.slice(0, 40).toUpperCase().replace(/[\s-]/g, '')
  return letters.length === USER_CODE_LETTERS && [...letters].every((letter) => alphabet.includes(letter))
    ? letters
    : undefined
}

/** Stores under a code that nobody else is using now. */
export async function withFreshUserCode(store: (userCode: string) => Promise<void>): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const userCode = makeUserCode()
    try {
      await store(userCode)
      return userCode
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === ATTEMPTS) throw error
    }
  }
}
