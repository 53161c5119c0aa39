/**
 * Our side of the authorization-code flow: where to send the browser, and how to turn its code into a proven identity.
 * Our own, because every address of a provider goes through the guarded client, and known addresses outlive an outage
 * of its discovery.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { IdentityProvider } from '../../../foundation/domain/idp.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import type { FetchJson } from '../../../foundation/platform/outgoing-http.ts'
import { UnreadableSecretError } from '../../../foundation/platform/secret-box.ts'
import type { OidcVerifier } from '../oidc-verifier.service.ts'
import type { IdentityClaims } from '../user-claim.ts'
import type { SignInState } from './sign-in-states.memory.ts'

export interface OidcClientPorts {
  readonly fetchJson: FetchJson
  /** Undefined when the gateway may call the URL, else why not. */
  readonly checkUrl: (url: string) => string | undefined
  readonly verifyIssuedTo: OidcVerifier['verifyIssuedTo']
  /** Opened for this one exchange. */
  readonly readClientSecret: (idp: IdentityProvider) => Promise<string | undefined>
  readonly clock: Clock
}

export interface OidcClient {
  /** Throws `SignInFailure`. */
  readonly authorizationUrl: (idp: IdentityProvider, state: SignInState) => Promise<string>
  /** Throws `SignInFailure`. */
  readonly exchange: (idp: IdentityProvider, state: SignInState, code: string) => Promise<ProvenIdentity>
  /** Undefined when the provider offers no sign-out. Throws `SignInFailure`. */
  readonly findEndSessionUrl: (idp: IdentityProvider, wishes: EndSessionWishes) => Promise<string | undefined>
}

export interface ProvenIdentity {
  readonly claims: IdentityClaims
  readonly idToken: string
}

export interface EndSessionWishes {
  /** Null when it was too large to keep. */
  readonly idToken: string | null
  /** Where the provider sends the browser afterwards. */
  readonly returnTo: string
}

export type SignInFailureKind = 'provider-unreachable' | 'secret-unreadable' | 'code-refused' | 'token-invalid'

export class SignInFailure extends Error {
  readonly kind: SignInFailureKind

  constructor(kind: SignInFailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'SignInFailure'
    this.kind = kind
  }
}

interface ProviderAddresses {
  readonly authorization: string
  readonly token: string
  readonly endSession: string | undefined
  readonly secretInBody: boolean
}

const SCOPES = 'openid email profile'
const DISCOVERY_KEPT_MS = 5 * 60_000
const MAX_PROVIDERS = 200
const TIMEOUT_MS = 8_000
const MAX_CODE_LENGTH = 4_096

export function createOidcClient(ports: OidcClientPorts): OidcClient {
  const known = new LRUCache<string, { readonly addresses: ProviderAddresses; readonly atMs: number }>({
    max: MAX_PROVIDERS,
  })

  const asked = new Map<string, Promise<ProviderAddresses>>()

  /** Anybody may begin a sign-in: however many do at once, the provider is asked once. */
  function discoverOnce(issuer: string): Promise<ProviderAddresses> {
    const running = asked.get(issuer) ?? discover(issuer, ports).finally(() => asked.delete(issuer))
    asked.set(issuer, running)
    return running
  }

  async function readAddresses(idp: IdentityProvider): Promise<ProviderAddresses> {
    const kept = known.get(idp.issuerUrl)
    if (kept !== undefined && ports.clock.monotonicMs() - kept.atMs < DISCOVERY_KEPT_MS) return kept.addresses
    try {
      const addresses = await discoverOnce(idp.issuerUrl)
      known.set(idp.issuerUrl, { addresses, atMs: ports.clock.monotonicMs() })
      return addresses
    } catch (error) {
      // Addresses hardly ever change, and a short outage of the discovery need not end sign-ins (failure-modes:
      // identity provider away).
      if (kept !== undefined) return kept.addresses
      throw new SignInFailure('provider-unreachable', 'the discovery failed', error)
    }
  }

  return {
    async authorizationUrl(idp, state) {
      const url = new URL((await readAddresses(idp)).authorization)
      const parameters = {
        response_type: 'code',
        client_id: readClientId(idp),
        redirect_uri: state.redirectUri,
        scope: SCOPES,
        state: state.state,
        nonce: state.nonce,
        code_challenge: createHash('sha256').update(state.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },

    async exchange(idp, state, code) {
      if (code === '' || code.length > MAX_CODE_LENGTH) throw new SignInFailure('code-refused', 'the code has no size')
      const addresses = await readAddresses(idp)
      const idToken = await fetchIdToken(idp, state, code, addresses, ports)
      const verified = await ports.verifyIssuedTo(idToken, idp, readClientId(idp))
      if (verified === undefined) throw new SignInFailure('token-invalid', 'the ID token is not valid')
      // Ties the token to the browser that left for it; without it a token of another sign-in could be slipped in.
      if (!isSameText(verified.nonce ?? '', state.nonce)) throw new SignInFailure('token-invalid', 'the nonce differs')
      return { claims: verified.claims, idToken }
    },

    async findEndSessionUrl(idp, { idToken, returnTo }) {
      const { endSession } = await readAddresses(idp)
      if (endSession === undefined) return undefined
      const url = new URL(endSession)
      url.searchParams.set('client_id', readClientId(idp))
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
      return url.href
    },
  }
}

/** contract: sign-in. The audience is the client id unless one is set. */
function readClientId(idp: IdentityProvider): string {
  return idp.clientId ?? idp.audience
}

async function discover(issuer: string, ports: OidcClientPorts): Promise<ProviderAddresses> {
  const { status, body } = await ports.fetchJson(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, {
    timeoutMs: TIMEOUT_MS,
  })
  const document = status === 200 && typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (document['issuer'] !== issuer) throw new Error(`no discovery document of this issuer (status ${status})`)
  const methods = document['token_endpoint_auth_methods_supported']
  return {
    authorization: requireAddress(document['authorization_endpoint'], ports),
    token: requireAddress(document['token_endpoint'], ports),
    endSession: findAddress(document['end_session_endpoint'], ports),
    // Basic is the default of the standard when the provider names nothing.
    secretInBody: Array.isArray(methods) && methods.includes('client_secret_post'),
  }
}

/** The browser is sent to one of them and our secret to the other, so both pass the guard that every URL passes. */
function requireAddress(value: unknown, ports: OidcClientPorts): string {
  if (typeof value !== 'string') throw new Error('the discovery document lacks an address')
  const refused = ports.checkUrl(value)
  if (refused !== undefined) throw new Error(`an address of the discovery document is refused: ${refused}`)
  return value
}

/** Not every provider offers every address, and a sign-in does not need this one. */
function findAddress(value: unknown, ports: OidcClientPorts): string | undefined {
  return typeof value === 'string' && ports.checkUrl(value) === undefined ? value : undefined
}

async function fetchIdToken(
  idp: IdentityProvider,
  state: SignInState,
  code: string,
  addresses: ProviderAddresses,
  ports: OidcClientPorts,
): Promise<string> {
  const secret = await ports.readClientSecret(idp).catch((error: unknown) => {
    if (!(error instanceof UnreadableSecretError)) throw error
    throw new SignInFailure('secret-unreadable', 'the client secret cannot be opened', error)
  })
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: state.redirectUri,
    client_id: readClientId(idp),
    code_verifier: state.verifier,
  })
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  if (secret !== undefined && addresses.secretInBody) form.set('client_secret', secret)
  else if (secret !== undefined) headers['authorization'] = basicCredential(readClientId(idp), secret)
  const answer = await ports
    .fetchJson(addresses.token, { method: 'POST', headers, body: form.toString(), timeoutMs: TIMEOUT_MS })
    .catch((error: unknown) => {
      throw new SignInFailure('provider-unreachable', 'the token endpoint does not answer', error)
    })
  if (answer.status >= 500) throw new SignInFailure('provider-unreachable', `token endpoint: ${answer.status}`)
  const body = typeof answer.body === 'object' && answer.body !== null ? (answer.body as Record<string, unknown>) : {}
  if (answer.status !== 200) throw new SignInFailure('code-refused', `token endpoint: ${answer.status}`)
  const idToken = body['id_token']
  if (typeof idToken !== 'string') throw new SignInFailure('token-invalid', 'there is no ID token')
  return idToken
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function basicCredential(id: string, secret: string): string {
  const encoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2)
  return `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64')}`
}

function isSameText(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
