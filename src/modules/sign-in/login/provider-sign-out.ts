/** Sign-out at the identity provider (OpenID Connect RP-Initiated Logout): what the browser keeps for it, and where it is sent. */
import { z } from 'zod'
import type { IdentityProvider } from '../../../foundation/domain/idp.ts'
import type { Call } from '../../../foundation/http/route.ts'
import type { Logger } from '../../../foundation/platform/logger.ts'
import type { SecretBox } from '../../../foundation/platform/secret-box.ts'
import type { BaseUrlFinder } from '../base-url.ts'
import { cookie, readCookies, type Scheme, type SchemeReader } from '../portal-session.ts'
import type { OidcClient } from './oidc-client.service.ts'

const COOKIE = 'causeway_sign_out'
/** The only route that reads it, so no other request carries it. */
const COOKIE_PATH = '/auth/logout'
/** Browsers drop a cookie over 4,096 bytes. Without the ID token the rest always fits. */
const MAX_SEALED_LENGTH = 3_800
const CONTEXT = 'sign-out at the provider'

const stored = z.object({ sessionId: z.string(), idpId: z.string(), idToken: z.string().nullable() })
type Kept = z.infer<typeof stored>

type AnyCall = Pick<Call<unknown, unknown, unknown>, 'headers' | 'scheme' | 'requestId'>

export interface ProviderSignOutPorts {
  /** The first box seals, all open: any instance with the shared key can read what another kept. */
  readonly boxes: () => readonly [SecretBox, ...SecretBox[]]
  readonly providers: () => readonly IdentityProvider[]
  readonly oidc: Pick<OidcClient, 'findEndSessionUrl'>
  readonly findBaseUrl: BaseUrlFinder
  readonly readScheme: SchemeReader
  readonly log: Logger
}

export interface NewProviderSession {
  readonly idp: IdentityProvider
  readonly sessionId: string
  readonly idToken: string
  readonly scheme: Scheme
  readonly maxAgeSeconds: number
}

export interface ProviderSignOut {
  /** Cookies for the answer that begins a session; none for a provider whose sign-out is local. */
  readonly begin: (session: NewProviderSession) => string[]
  /** For the answer that ends a session. */
  readonly ended: (scheme: Scheme) => string
  /** Where the provider ends its own session. Undefined when sign-out is local or the provider cannot be asked. */
  readonly findUrl: (call: AnyCall, sessionId: string) => Promise<string | undefined>
}

export function createProviderSignOut(ports: ProviderSignOutPorts): ProviderSignOut {
  const seal = (kept: Kept): string => ports.boxes()[0].seal(JSON.stringify(kept), CONTEXT).toString('base64url')
  const setCookie = (value: string, scheme: Scheme, maxAgeSeconds: number): string =>
    cookie(COOKIE, value, scheme, { maxAgeSeconds, path: COOKIE_PATH })

  return {
    begin({ idp, sessionId, idToken, scheme, maxAgeSeconds }) {
      if (idp.logout !== 'provider') return []
      const whole = seal({ sessionId, idpId: idp.id, idToken })
      const kept = whole.length <= MAX_SEALED_LENGTH ? whole : seal({ sessionId, idpId: idp.id, idToken: null })
      return [setCookie(kept, scheme, maxAgeSeconds)]
    },
    ended: (scheme) => setCookie('', scheme, 0),
    async findUrl(call, sessionId) {
      const kept = open(readCookies(call.headers).get(COOKIE), ports.boxes())
      // Of another session: planted by a neighbouring domain, or left over from an earlier user.
      if (kept?.sessionId !== sessionId) return undefined
      const idp = ports.providers().find(({ id }) => id === kept.idpId)
      if (idp?.logout !== 'provider') return undefined
      try {
        const returnTo = `${ports.findBaseUrl(call, idp)}/portal`
        const url = await ports.oidc.findEndSessionUrl(idp, { idToken: kept.idToken, returnTo })
        if (url === undefined)
          ports.log.warn({ id: call.requestId, idp: idp.id }, 'the identity provider has no end_session_endpoint')
        return url
      } catch (error) {
        // failure-modes: identity provider away. The session here has ended already.
        ports.log.warn({ id: call.requestId, idp: idp.id, err: error }, 'sign-out at the identity provider failed')
        return undefined
      }
    },
  }
}

function open(sealed: string | undefined, boxes: readonly SecretBox[]): Kept | undefined {
  if (sealed === undefined || sealed === '') return undefined
  for (const box of boxes)
    try {
      return stored.parse(JSON.parse(box.open(Buffer.from(sealed, 'base64url'), CONTEXT)))
    } catch {
      // Sealed with another key, or not by us: the next key may open it (failure-modes: sign-in state unreadable).
    }
  return undefined
}
