/**
 * Keeps one identity provider's signing keys: found by `kid`, refreshed in the background, refetched at most once a
 * minute.
 * Our own instead of the key set of `jose`: all requests go through the guarded client, and known keys outlive an
 * outage of the provider.
 */
import { type CryptoKey, importJWK } from 'jose'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import type { FetchJson } from '../../foundation/platform/outgoing-http.ts'

/** An attacker with random `kid`s, or a broken client, must not make us hammer the provider. */
const REFETCH_PAUSE_MS = 60_000
/** Without any key nobody of this provider can sign in, so the first fetch is tried again sooner. */
const FIRST_FETCH_PAUSE_MS = 30_000
const REFRESH_AFTER_MS = 5 * 60_000
/** A provider that was away this long has let every token it issued expire. */
const KEEP_WHILE_AWAY_MS = 24 * 3_600_000
const FETCH_TIMEOUT_MS = 5_000
const MAX_KEYS = 100
const MIN_MODULUS_BYTES = 256

export interface SigningKey {
  readonly kid: string | undefined
  readonly modulus: string
  readonly key: CryptoKey
}

export interface SigningKeys {
  /** From memory; starts a refresh in the background when the keys have aged. */
  readonly find: (kid: string | undefined) => SigningKey | undefined
  /** After a fetch, if one is due; joins one that runs already. */
  readonly findAfresh: (kid: string | undefined) => Promise<SigningKey | undefined>
}

export interface SigningKeysPorts {
  readonly fetchJson: FetchJson
  readonly clock: Clock
  readonly onFetchFailed?: (issuer: string, error: unknown) => void
}

export type KeySource = Pick<IdentityProvider, 'issuerUrl' | 'jwksUrl'>

export function createSigningKeys(source: KeySource, ports: SigningKeysPorts): SigningKeys {
  let keys: readonly SigningKey[] = []
  let loadedAtMs: number | undefined
  let triedAtMs: number | undefined
  let running: Promise<void> | undefined

  async function load(): Promise<void> {
    try {
      const url = source.jwksUrl ?? (await discoverJwksUrl(source.issuerUrl, ports.fetchJson))
      const { status, body } = await ports.fetchJson(url, { timeoutMs: FETCH_TIMEOUT_MS })
      if (status !== 200) throw new Error(`The key set answered with status ${status}.`)
      keys = await toSigningKeys(body, keys)
      loadedAtMs = ports.clock.monotonicMs()
    } catch (error) {
      // The keys that are known go on working (failure-modes: identity provider away).
      ports.onFetchFailed?.(source.issuerUrl, error)
    }
  }

  function fetchIfDue(): Promise<void> | undefined {
    if (running !== undefined) return running
    const nowMs = ports.clock.monotonicMs()
    const pauseMs = loadedAtMs === undefined ? FIRST_FETCH_PAUSE_MS : REFETCH_PAUSE_MS
    if (triedAtMs !== undefined && nowMs - triedAtMs < pauseMs) return undefined
    triedAtMs = nowMs
    running = load().finally(() => {
      running = undefined
    })
    return running
  }

  function findInMemory(kid: string | undefined): SigningKey | undefined {
    if (ageMs() >= KEEP_WHILE_AWAY_MS) return undefined
    const matching = kid === undefined ? keys : keys.filter((key) => key.kid === kid)
    // Two keys under one name, or several keys and no name: nobody can say which one is right.
    return matching.length === 1 ? matching[0] : undefined
  }

  const ageMs = (): number => (loadedAtMs === undefined ? Infinity : ports.clock.monotonicMs() - loadedAtMs)

  return {
    find(kid) {
      if (loadedAtMs !== undefined && ageMs() >= REFRESH_AFTER_MS) void fetchIfDue()
      return findInMemory(kid)
    },
    async findAfresh(kid) {
      await fetchIfDue()
      return findInMemory(kid)
    },
  }
}

/** The document must speak for this very issuer; its `jwks_uri` goes through the same guarded client as every other URL. */
export async function discoverJwksUrl(issuer: string, fetchJson: FetchJson): Promise<string> {
  const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const { status, body } = await fetchJson(url, { timeoutMs: FETCH_TIMEOUT_MS })
  if (status !== 200 || typeof body !== 'object' || body === null) {
    throw new Error(`The discovery document answered with status ${status}.`)
  }
  const document = body as Record<string, unknown>
  if (document['issuer'] !== issuer) throw new Error('The discovery document belongs to another issuer.')
  if (typeof document['jwks_uri'] !== 'string') throw new Error('The discovery document names no key set.')
  return document['jwks_uri']
}

/** A key that stays keeps its object, so that verdicts reached with it stay good. */
async function toSigningKeys(body: unknown, known: readonly SigningKey[]): Promise<readonly SigningKey[]> {
  const list = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['keys'] : undefined
  if (!Array.isArray(list)) throw new Error('The answer is not a key set.')
  const keys: SigningKey[] = []
  for (const jwk of list.slice(0, MAX_KEYS)) {
    const found = findRs256Parts(jwk)
    if (found === undefined) continue
    const { kid, n, e } = found
    const same = known.find((key) => key.kid === kid && key.modulus === n)
    if (same !== undefined) {
      keys.push(same)
      continue
    }
    try {
      // Only the public numbers go in; `alg` is ours, whatever the key or the token says.
      const key = await importJWK({ kty: 'RSA', n, e }, 'RS256')
      if (!(key instanceof Uint8Array)) keys.push({ kid, modulus: n, key })
    } catch {
      // One unreadable key does not take the others with it (failure-modes: unreadable signing key).
    }
  }
  // An empty set is a provider's mishap far more often than its wish; the known keys stay for their time.
  if (keys.length === 0) throw new Error('The key set has no key for RS256 signatures.')
  return keys
}

interface RsaParts {
  readonly kid: string | undefined
  readonly n: string
  readonly e: string
}

/** Undefined for keys that must not verify signatures: other kinds, encryption keys, other algorithms, short keys. */
function findRs256Parts(jwk: unknown): RsaParts | undefined {
  if (typeof jwk !== 'object' || jwk === null) return undefined
  const { kty, use, alg, key_ops: operations, kid, n, e } = jwk as Record<string, unknown>
  if (kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string') return undefined
  if (use !== undefined && use !== 'sig') return undefined
  if (alg !== undefined && alg !== 'RS256') return undefined
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return undefined
  if (kid !== undefined && typeof kid !== 'string') return undefined
  return Buffer.from(n, 'base64url').length >= MIN_MODULUS_BYTES ? { kid, n, e } : undefined
}
