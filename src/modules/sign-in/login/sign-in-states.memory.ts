/** What must be remembered between leaving for the identity provider and coming back: sealed, in this browser's own cookie. */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../../../foundation/platform/clock.ts'
import type { SecretBox } from '../../../foundation/platform/secret-box.ts'
import type { RequestHeaders } from '../credentials.ts'
import { cookie, readCookies, type Scheme } from '../portal-session.ts'

const LIFETIME_SECONDS = 600
const COOKIE_PREFIX = 'causeway_sign_in_'
/** As with the session: a state that a neighbouring domain could plant would sign this browser in as somebody else. */
const SECURE_COOKIE_PREFIX = `__Host-${COOKIE_PREFIX}`
const CONTEXT = 'sign-in state'
/** Each open tab has its own; beyond this the old ones are dropped, or a careless page could fill the header. */
const MAX_OPEN = 5
const MAX_USED = 50_000

const stored = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  idpId: z.string(),
  redirectUri: z.string(),
  returnTo: z.string(),
  expiresAtMs: z.number(),
})
export type SignInState = z.infer<typeof stored>

export interface SignInStates {
  readonly begin: (
    wishes: Pick<SignInState, 'idpId' | 'redirectUri' | 'returnTo'>,
    headers: RequestHeaders,
    scheme: Scheme,
  ) => { readonly state: SignInState; readonly cookies: string[] }
  /** Undefined when it is not this browser's, was used, or is too old. */
  readonly take: (state: string, headers: RequestHeaders, scheme: Scheme) => SignInState | undefined
  /** For the answer after `take`, whatever came of it. */
  readonly ended: (state: string, scheme: Scheme) => string
}

/** The first box seals, all open: any instance with the shared key can finish what another began. */
export function createSignInStates(boxes: () => readonly [SecretBox, ...SecretBox[]], clock: Clock): SignInStates {
  // The cookie is deleted after use; this refuses a copy that was kept. Codes work once at the provider in any case.
  const used = new LRUCache<string, true>({ max: MAX_USED, ttl: LIFETIME_SECONDS * 1000 })

  return {
    begin(wishes, headers, scheme) {
      const state: SignInState = {
        ...wishes,
        state: randomText(),
        nonce: randomText(),
        verifier: randomText(),
        expiresAtMs: clock.nowMs() + LIFETIME_SECONDS * 1000,
      }
      const sealed = boxes()[0].seal(JSON.stringify(state), CONTEXT).toString('base64url')
      const open = [...readCookies(headers).keys()].filter((name) => name.startsWith(findPrefix(scheme)))
      const dropped = open.length < MAX_OPEN ? [] : open.filter((name) => /^[\w-]{1,80}$/.test(name))
      return {
        state,
        cookies: [
          ...dropped.map((name) => stateCookie(name, '', scheme, 0)),
          stateCookie(cookieName(state.state, scheme), sealed, scheme, LIFETIME_SECONDS),
        ],
      }
    },
    take(state, headers, scheme) {
      const sealed = /^[\w-]{43}$/.test(state) ? readCookies(headers).get(cookieName(state, scheme)) : undefined
      const found = sealed === undefined ? undefined : openState(sealed, boxes())
      if (found?.state !== state || found.expiresAtMs <= clock.nowMs() || used.has(state)) return undefined
      used.set(state, true)
      return found
    },
    ended: (state, scheme) => stateCookie(cookieName(state, scheme), '', scheme, 0),
  }
}

function findPrefix(scheme: Scheme): string {
  return scheme === 'https' ? SECURE_COOKIE_PREFIX : COOKIE_PREFIX
}

function cookieName(state: string, scheme: Scheme): string {
  return `${findPrefix(scheme)}${state.replace(/[^\w-]/g, '').slice(0, 12)}`
}

/** Browsers take the secure name with this path only. */
function stateCookie(name: string, value: string, scheme: Scheme, maxAgeSeconds: number): string {
  return cookie(name, value, scheme, { maxAgeSeconds, path: scheme === 'https' ? '/' : '/portal' })
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}

function openState(sealed: string, boxes: readonly SecretBox[]): SignInState | undefined {
  for (const box of boxes)
    try {
      return stored.parse(JSON.parse(box.open(Buffer.from(sealed, 'base64url'), CONTEXT)))
    } catch {
      // Sealed with another key, or not by us: the next key may open it (failure-modes: sign-in state unreadable).
    }
  return undefined
}
