import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { sendText } from '../exchange.ts'
import type { SigningKey } from './oidc-keys.ts'
import type { createOidcStore } from './oidc-store.ts'

export type OidcUser = { readonly sub: string; readonly claims: Readonly<Record<string, unknown>> }

export type OidcClient = {
  readonly clientId: string
  readonly clientSecret?: string
  readonly redirectUris?: readonly string[]
}

export type IssuerParts = {
  readonly issuer: string
  readonly cookieSuffix: string
  readonly keys: readonly SigningKey[]
  readonly users: readonly OidcUser[]
  readonly clients: readonly OidcClient[]
  readonly store: ReturnType<typeof createOidcStore>
}

const EMAIL_CLAIMS = ['email', 'email_verified']
const PROFILE_CLAIMS = ['name', 'preferred_username', 'given_name', 'family_name']

export async function createProvider(parts: IssuerParts): Promise<Provider> {
  const { Provider } = await import('oidc-provider')
  const own = new Set(parts.users.flatMap((user) => Object.keys(user.claims)))
  const custom = [...own].filter((name) => ![...EMAIL_CLAIMS, ...PROFILE_CLAIMS].includes(name))
  const provider = new Provider(parts.issuer, {
    adapter: parts.store,
    clients: parts.clients.map(toClientMetadata),
    jwks: { keys: parts.keys },
    claims: { openid: ['sub', ...custom], email: EMAIL_CLAIMS, profile: PROFILE_CLAIMS },
    // Without this the ID token carries only `sub` and everything else sits behind the userinfo endpoint.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { logoutSource: showLogoutPage } },
    pkce: { required: () => true },
    cookies: {
      keys: ['simulator'],
      names: {
        session: `_session_${parts.cookieSuffix}`,
        interaction: `_interaction_${parts.cookieSuffix}`,
        resume: `_resume_${parts.cookieSuffix}`,
      },
    },
    interactions: {
      url: (_: unknown, interaction: { uid: string }) =>
        `${new URL(parts.issuer).pathname.replace(/\/$/, '')}/interaction/${interaction.uid}`,
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 600,
      IdToken: 3600,
      Interaction: 3600,
      Session: 86_400,
      Grant: 86_400,
    },
    clientBasedCORS: () => true,
    renderError(context: { type: string; body: unknown }, out: { error: string; error_description?: string }) {
      context.type = 'json'
      context.body = out
    },
    findAccount: (_: unknown, sub: string) => findAccount(parts.users, sub),
    loadExistingGrant: grantEverything,
  })
  const allowed = provider.Client.prototype.redirectUriAllowed
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return isPortalAddress(uri) || allowed.call(this, uri)
  }
  const allowedAfter = provider.Client.prototype.postLogoutRedirectUriAllowed
  provider.Client.prototype.postLogoutRedirectUriAllowed = function (uri) {
    return isPortalAddress(uri) || allowedAfter.call(this, uri)
  }
  return provider
}

/** The question before the session at the provider ends. The page of the library loads a font from elsewhere. */
function showLogoutPage(context: { body: unknown }, form: string): void {
  context.body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign out</title></head>
<body>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></body></html>`
}

/** A gateway under test listens on whatever port is free. */
function isPortalAddress(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const url = new URL(uri)
  return ['http:', 'https:'].includes(url.protocol) && url.pathname.endsWith('/portal') && url.hash === ''
}

function toClientMetadata(client: OidcClient): Record<string, unknown> {
  return {
    client_id: client.clientId,
    redirect_uris: client.redirectUris ?? ['https://localhost/portal'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: 'RS256',
    ...(client.clientSecret === undefined
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_post', client_secret: client.clientSecret }),
  }
}

function findAccount(users: readonly OidcUser[], sub: string): unknown {
  const user = users.find((item) => item.sub === sub)
  return user && { accountId: sub, claims: () => ({ sub, ...user.claims }) }
}

type GrantContext = {
  readonly oidc: {
    readonly provider: Provider
    readonly client: { readonly clientId: string }
    readonly session: { readonly accountId: string }
  }
}

/** No consent page: the person already chose who to be. */
async function grantEverything({ oidc }: GrantContext): Promise<unknown> {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope('openid email profile offline_access')
  await grant.save()
  return grant
}

export function isInteractionPath(path: string): boolean {
  return /^\/interaction\/[\w-]+(\/login)?$/.test(path)
}

/** The login page is a plain form with one button per user; a script posts `user=<email or sub>` to the same address. */
export async function serveInteraction(
  provider: Provider,
  users: readonly OidcUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  const asked =
    request.method === 'POST'
      ? (new URLSearchParams(await readBody(request)).get('user') ?? '')
      : String(params['login_hint'] ?? '')
  const user = users.find((item) => asked !== '' && (item.sub === asked || item.claims['email'] === asked))
  if (user) return provider.interactionFinished(request, response, { login: { accountId: user.sub } })
  sendText(response, asked === '' || request.method === 'GET' ? 200 : 400, loginPage(users), {
    'content-type': 'text/html; charset=utf-8',
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function loginPage(users: readonly OidcUser[]): string {
  const buttons = users.map((user) => {
    const label = String(user.claims['name'] ?? user.sub).replace(/[<>&"]/g, '')
    const email = String(user.claims['email'] ?? user.sub).replace(/[<>&"]/g, '')
    return `<button name="user" value="${email}"><strong>${label}</strong><br><small>${email}</small></button>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in</title>
<style>body{font:16px system-ui;display:grid;place-items:center;min-height:90vh;background:#f4f5f7;color:#1c2330}form{background:#fff;padding:2rem;border-radius:12px;box-shadow:0 2px 12px #0001;width:20rem}button{display:block;width:100%;margin:.6rem 0;padding:.7rem 1rem;text-align:left;border:1px solid #d5d9e0;border-radius:8px;background:#fff;font:inherit;cursor:pointer}button:hover{border-color:#5b6b8c}small{color:#667}</style></head>
<body><form method="post"><h1 style="font-size:1.2rem">Who would you like to be?</h1>${buttons.join('')}</form></body></html>`
}
