/** Verifies identity-provider tokens: RS256, exact issuer and audience, many providers, verdicts remembered by the whole token. */
import { hash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import { MAX_CREDENTIAL_LENGTH } from './credentials.ts'
import { findUnverifiedJwt, type UnverifiedJwt } from './jwt-shape.ts'
import { createSigningKeys, type SigningKey, type SigningKeys, type SigningKeysPorts } from './signing-keys.service.ts'
import type { IdentityClaims } from './user-claim.ts'

const LEEWAY_SECONDS = 60
const MAX_VERDICTS = 10_000
const MAX_SUBJECT_LENGTH = 255

export interface VerifiedJwt {
  readonly idp: IdentityProvider
  readonly claims: IdentityClaims
  /** For the browser sign-in, which must find its own nonce here. */
  readonly nonce: string | undefined
}

export interface OidcVerifier {
  /** Synchronous when the verdict is known or the token is hopeless; undefined means not valid. */
  readonly verify: (token: string) => VerifiedJwt | undefined | Promise<VerifiedJwt | undefined>
  /** For the browser sign-in, whose token is issued to the provider's client id instead of its audience. */
  readonly verifyIssuedTo: (token: string, idp: IdentityProvider, audience: string) => Promise<VerifiedJwt | undefined>
  /** Fetches the keys of all enabled providers, so that the first person does not wait for them. */
  readonly warmUp: () => Promise<void>
}

export interface OidcVerifierPorts extends SigningKeysPorts {
  readonly idps: () => readonly IdentityProvider[]
}

interface Verdict {
  readonly verified: VerifiedJwt
  readonly keys: SigningKeys
  readonly kid: string | undefined
  readonly key: SigningKey
  readonly expiresAtMs: number
}

export function createOidcVerifier(ports: OidcVerifierPorts): OidcVerifier {
  // Keyed by the hash of the whole token: every RS256 token begins alike, so a shorter key would mix people up.
  const verdicts = new LRUCache<string, Verdict>({ max: MAX_VERDICTS })
  const findKeys = createKeysByProvider(ports)

  function findVerdict(tokenHash: string): VerifiedJwt | undefined {
    const verdict = verdicts.get(tokenHash)
    if (verdict === undefined) return undefined
    const isGood =
      ports.clock.nowMs() < verdict.expiresAtMs &&
      ports.idps().includes(verdict.verified.idp) &&
      verdict.keys.find(verdict.kid) === verdict.key
    if (isGood) return verdict.verified
    verdicts.delete(tokenHash)
    return undefined
  }

  async function verifyAfresh(
    token: string,
    jwt: UnverifiedJwt,
    idp: IdentityProvider,
    audience: string,
  ): Promise<Verdict | undefined> {
    const keys = findKeys(idp)
    const known = keys.find(jwt.kid) ?? (await keys.findAfresh(jwt.kid))
    if (known === undefined) return undefined
    const check = (by: SigningKey) => findPayload(token, by, idp.issuerUrl, audience, ports.clock.nowMs())
    const first = await check(known)
    // The provider may have put a new key under the old name, or gives its keys none.
    const key = first === 'unsigned' ? await keys.findAfresh(jwt.kid) : known
    const payload = key === undefined || key === known ? first : await check(key)
    if (key === undefined || payload === undefined || payload === 'unsigned') return undefined
    const claims = toIdentityClaims(payload)
    if (claims === undefined) return undefined
    const nonce = typeof payload['nonce'] === 'string' ? payload['nonce'] : undefined
    const expiresAtMs = (jwt.expiresAtSeconds + LEEWAY_SECONDS) * 1000
    return { verified: { idp, claims, nonce }, keys, kid: jwt.kid, key, expiresAtMs }
  }

  function findLiveJwt(token: string): UnverifiedJwt | undefined {
    const jwt = token.length <= MAX_CREDENTIAL_LENGTH ? findUnverifiedJwt(token) : undefined
    // An expired token is refused before any key is looked for, so that it cannot cause a fetch.
    const isLive = jwt !== undefined && ports.clock.nowMs() < (jwt.expiresAtSeconds + LEEWAY_SECONDS) * 1000
    return isLive ? jwt : undefined
  }

  return {
    verify(token) {
      if (token.length > MAX_CREDENTIAL_LENGTH) return undefined
      const tokenHash = hash('sha256', token, 'base64')
      const known = findVerdict(tokenHash)
      if (known !== undefined) return known
      const jwt = findLiveJwt(token)
      if (jwt === undefined) return undefined
      const idp = ports.idps().find((candidate) => isIssuedFor(jwt, candidate))
      if (idp === undefined) return undefined
      return verifyAfresh(token, jwt, idp, idp.audience).then((verdict) => {
        if (verdict !== undefined) verdicts.set(tokenHash, verdict)
        return verdict?.verified
      })
    },
    async verifyIssuedTo(token, idp, audience) {
      const jwt = findLiveJwt(token)
      if (jwt === undefined || audience === '') return undefined
      return (await verifyAfresh(token, jwt, idp, audience))?.verified
    },
    async warmUp() {
      const enabled = ports.idps().filter((idp) => idp.enabled)
      await Promise.all(enabled.map((idp) => findKeys(idp).findAfresh(undefined)))
    },
  }
}

/** Exact equality everywhere; an empty audience is a missing setting and matches no token. */
function isIssuedFor(jwt: UnverifiedJwt, idp: IdentityProvider): boolean {
  return idp.enabled && idp.audience !== '' && idp.issuerUrl === jwt.issuer && jwt.audiences.includes(idp.audience)
}

/** One key store per place where keys come from; stores of removed providers are dropped with the list that had them. */
function createKeysByProvider(ports: OidcVerifierPorts): (idp: IdentityProvider) => SigningKeys {
  let stores = new Map<string, SigningKeys>()
  let storesOf: readonly IdentityProvider[] = []
  const toPlace = (idp: IdentityProvider): string => `${idp.issuerUrl} ${idp.jwksUrl ?? ''}`

  return (idp) => {
    const idps = ports.idps()
    if (idps !== storesOf) {
      const places = new Set(idps.map(toPlace))
      stores = new Map([...stores].filter(([place]) => places.has(place)))
      storesOf = idps
    }
    const place = toPlace(idp)
    const store = stores.get(place) ?? createSigningKeys(idp, ports)
    stores.set(place, store)
    return store
  }
}

/** `unsigned`: this key has not signed it. */
async function findPayload(
  token: string,
  key: SigningKey,
  issuer: string,
  audience: string,
  nowMs: number,
): Promise<JWTPayload | 'unsigned' | undefined> {
  try {
    const { payload } = await jwtVerify(token, key.key, {
      algorithms: ['RS256'],
      issuer,
      audience,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'sub'],
    })
    return payload
  } catch (error) {
    // Whatever is wrong with a token, it is the caller's token that is wrong: the answer is 401, never 500.
    return error instanceof errors.JWSSignatureVerificationFailed ? 'unsigned' : undefined
  }
}

function toIdentityClaims(payload: JWTPayload): IdentityClaims | undefined {
  const { iss, sub } = payload
  if (typeof iss !== 'string' || typeof sub !== 'string') return undefined
  if (sub.trim() === '' || sub.length > MAX_SUBJECT_LENGTH || /\p{Cc}/u.test(sub)) return undefined
  const text = (name: string): string | undefined =>
    typeof payload[name] === 'string' ? (payload[name] as string) : undefined
  const verified = payload['email_verified']
  return {
    iss,
    sub,
    ...present('email', text('email')),
    // Some providers write the boolean as text.
    ...(verified === undefined ? {} : { email_verified: verified === true || verified === 'true' }),
    ...present('preferred_username', text('preferred_username')),
    ...present('upn', text('upn')),
    ...present('oid', text('oid')),
    ...present('name', text('name')),
  }
}

function present<Name extends string>(name: Name, value: string | undefined): { readonly [key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string }
}
