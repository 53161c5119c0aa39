/** Does for a provider that is not saved yet what a sign-in would do, and reports each step. */
import type { IdentityProvider } from '../../../foundation/domain/idp.ts'
import type { FetchJson, JsonAnswer } from '../../../foundation/platform/outgoing-http.ts'
import { createOidcVerifier } from '../oidc-verifier.service.ts'
import { createSigningKeys, discoverJwksUrl } from '../signing-keys.service.ts'
import { findUserName, isDomainAllowed } from '../user-claim.ts'
import type { IdpPorts } from './idp-ports.ts'

export interface IdpToTry
  extends Pick<IdentityProvider, 'issuerUrl' | 'jwksUrl' | 'audience' | 'userClaim' | 'allowedDomains'> {
  readonly token: string | undefined
}

type TryPorts = Pick<IdpPorts, 'fetchJson' | 'clock'>

const MAX_SHOWN = 20

export async function tryIdp(ports: TryPorts, idp: IdpToTry) {
  const { fetchJson, readBody } = fetchingOnce(ports.fetchJson)
  const once = { fetchJson, clock: ports.clock }
  const discovery = await tryDiscovery(once, idp, readBody)
  const keysUrl = idp.jwksUrl ?? discovery.jwks_url
  const signingKeys =
    keysUrl === null
      ? { ok: false, message: 'There is no address of the signing keys.', usable: 0, key_ids: [] }
      : await trySigningKeys(once, idp.issuerUrl, keysUrl, readBody)
  const token = idp.token === undefined ? null : await tryToken(once, idp, idp.token)
  return {
    // Discovery is needed for the browser sign-in; tokens can be checked without it when the keys' address is given.
    success: signingKeys.ok && (discovery.ok || idp.jwksUrl !== null) && token?.ok !== false,
    discovery,
    signing_keys: signingKeys,
    token,
  }
}

/** Each URL is called once for all steps, and its answer kept for the report. */
function fetchingOnce(fetchJson: FetchJson) {
  const answers = new Map<string, Promise<JsonAnswer>>()
  const bodies = new Map<string, unknown>()
  const once: FetchJson = (url, request) => {
    const answer =
      answers.get(url) ??
      fetchJson(url, request).then((received) => {
        bodies.set(url, received.body)
        return received
      })
    answers.set(url, answer)
    return answer
  }
  return { fetchJson: once, readBody: (url: string): Record<string, unknown> => asRecord(bodies.get(url)) }
}

async function tryDiscovery(ports: TryPorts, idp: IdpToTry, readBody: (url: string) => Record<string, unknown>) {
  try {
    const jwksUrl = await discoverJwksUrl(idp.issuerUrl, ports.fetchJson)
    const document = readBody(`${idp.issuerUrl.replace(/\/+$/, '')}/.well-known/openid-configuration`)
    return {
      ok: true,
      message: 'The discovery document belongs to this issuer.',
      jwks_url: jwksUrl as string | null,
      authorization_endpoint: textOrNull(document['authorization_endpoint']),
      token_endpoint: textOrNull(document['token_endpoint']),
    }
  } catch (error) {
    // Reported, not thrown: finding out is what the caller asked for.
    return {
      ok: false,
      message: describeError(error),
      jwks_url: null,
      authorization_endpoint: null,
      token_endpoint: null,
    }
  }
}

async function trySigningKeys(
  ports: TryPorts,
  issuerUrl: string,
  jwksUrl: string,
  readBody: (url: string) => Record<string, unknown>,
) {
  let failure: string | undefined
  const keys = createSigningKeys(
    { issuerUrl, jwksUrl },
    {
      ...ports,
      onFetchFailed: (_issuer, error) => {
        failure = describeError(error)
      },
    },
  )
  await keys.findAfresh(undefined)
  if (failure !== undefined) return { ok: false, message: failure, usable: 0, key_ids: [] }
  const list = readBody(jwksUrl)['keys']
  const ids = (Array.isArray(list) ? list : []).map((key: unknown) => asRecord(key)['kid'])
  // The same look-up that a token's key goes through, so that "usable" means usable.
  const usable = ids.filter((kid) => keys.find(typeof kid === 'string' ? kid : undefined) !== undefined)
  return {
    ok: usable.length > 0,
    message: usable.length > 0 ? 'There are signing keys for RS256.' : 'None of the keys can be used for RS256.',
    usable: usable.length,
    key_ids: usable.filter((kid) => typeof kid === 'string').slice(0, MAX_SHOWN),
  }
}

async function tryToken(ports: TryPorts, idp: IdpToTry, token: string) {
  const candidate = {
    ...idp,
    id: '',
    name: '',
    clientId: null,
    autoProvision: false,
    defaultRole: 'member',
    enabled: true,
    logout: 'local',
  } as const
  const verifier = createOidcVerifier({ ...ports, idps: () => [candidate] })
  const verified = await verifier.verify(token)
  if (verified === undefined)
    return {
      ok: false,
      message: 'The token is not valid for this provider: its signature, issuer, audience or times do not fit.',
      claims: null,
      user_name: null,
      domain_allowed: null,
    }
  const userName = findUserName(verified.claims, idp.userClaim) ?? null
  return {
    ok: userName !== null,
    message: userName === null ? 'The token is valid, but no claim names a user.' : 'The token is valid.',
    claims: verified.claims,
    user_name: userName,
    domain_allowed: isDomainAllowed(verified.claims, idp),
  }
}

/** The errors of discovery and of the guarded client are written by us and never repeat what the other side sent. */
function describeError(error: unknown): string {
  return error instanceof Error ? error.message : 'It failed.'
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 2_048) : null
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
