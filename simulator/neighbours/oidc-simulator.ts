import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { refuseUnknown, requireObject } from '../behaviour.ts'
import { createProvider, isInteractionPath, type OidcClient, type OidcUser, serveInteraction } from './oidc-issuer.ts'
import { generateSigningKey, type SigningKey, signToken } from './oidc-keys.ts'
import { misbehave, type OidcMode } from './oidc-mode.ts'
import { createOidcStore } from './oidc-store.ts'

type Issuer = {
  readonly name: string
  keys: readonly SigningKey[]
  retired: readonly SigningKey[]
  mode: OidcMode
  provider: Promise<Provider> | undefined
  readonly store: ReturnType<typeof createOidcStore>
}

export type OidcSimulator = {
  /** The address is known only once the port is open. */
  setBase(url: string): void
  issuerUrl(name: string): string
  describe(): unknown
  setUser(input: unknown): unknown
  addClient(input: unknown): unknown
  setMode(input: unknown): unknown
  rotateKeys(input: Readonly<Record<string, unknown>>): Promise<unknown>
  mint(input: unknown): Promise<{ readonly token: string }>
  reset(): void
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>
}

const MAIN_ISSUER = 'main'

const defaultUsers: readonly OidcUser[] = [
  {
    sub: 'user-alice',
    claims: { email: 'alice@example.com', email_verified: true, name: 'Alice Example', preferred_username: 'alice' },
  },
  {
    sub: 'user-bob',
    claims: { email: 'bob@example.com', email_verified: true, name: 'Bob Example', preferred_username: 'bob' },
  },
  {
    sub: 'user-carol',
    claims: { email: 'carol@other.example', email_verified: true, name: 'Carol Other', preferred_username: 'carol' },
  },
]

const defaultClients: readonly OidcClient[] = [
  { clientId: 'causeway' },
  { clientId: 'causeway-confidential', clientSecret: 'causeway-confidential-secret-000000000001' },
]

export function createOidcSimulator(): OidcSimulator {
  let base = ''
  let users = defaultUsers
  let clients = defaultClients
  const issuers = new Map<string, Issuer>()
  const issuerUrl = (name: string): string => (name === MAIN_ISSUER ? base : `${base}/issuers/${name}`)
  const getIssuer = (name: unknown): Issuer => {
    const key = typeof name === 'string' ? name : MAIN_ISSUER
    const known = issuers.get(key)
    if (known) return known
    const issuer: Issuer = {
      name: key,
      keys: [],
      retired: [],
      mode: { mode: 'normal' },
      provider: undefined,
      store: createOidcStore(),
    }
    issuers.set(key, issuer)
    return issuer
  }
  const loadKeys = async (issuer: Issuer): Promise<readonly SigningKey[]> => {
    if (issuer.keys.length === 0) issuer.keys = [await generateSigningKey()]
    return issuer.keys
  }
  const rebuild = (): void => {
    for (const issuer of issuers.values()) issuer.provider = undefined
  }
  const loadProvider = (issuer: Issuer): Promise<Provider> => {
    issuer.provider ??= loadKeys(issuer).then((keys) =>
      createProvider({
        issuer: issuerUrl(issuer.name),
        cookieSuffix: issuer.name,
        keys,
        users,
        clients,
        store: issuer.store,
      }),
    )
    return issuer.provider
  }
  return {
    setBase(url) {
      base = url
    },
    issuerUrl,
    describe: () => ({
      users,
      clients,
      issuers: [...issuers.values()].map(({ name, mode, keys }) => ({
        name,
        url: issuerUrl(name),
        mode,
        kids: keys.map((key) => key.kid),
      })),
    }),
    setUser(input) {
      const user = requireObject(input, 'user')
      refuseUnknown(user, ['sub', 'claims'], 'user')
      const next: OidcUser = { sub: String(user['sub']), claims: requireObject(user['claims'], 'claims') }
      users = [...users.filter((item) => item.sub !== next.sub), next]
      rebuild()
      return next
    },
    addClient(input) {
      const client = requireObject(input, 'client')
      refuseUnknown(client, ['clientId', 'clientSecret', 'redirectUris'], 'client')
      clients = [...clients.filter((item) => item.clientId !== client['clientId']), client as unknown as OidcClient]
      rebuild()
      return client
    },
    setMode(input) {
      const mode = requireObject(input, 'mode')
      refuseUnknown(mode, ['issuer', 'target', 'mode', 'ms', 'status', 'bytes', 'location', 'fields'], 'mode')
      getIssuer(mode['issuer']).mode = mode as OidcMode
      return mode
    },
    async rotateKeys(input) {
      refuseUnknown(input, ['issuer', 'keepOld'], 'rotate')
      const issuer = getIssuer(input['issuer'])
      const old = await loadKeys(issuer)
      const fresh = await generateSigningKey()
      issuer.keys = input['keepOld'] === true ? [fresh, ...old] : [fresh]
      issuer.retired = [...old, ...issuer.retired]
      issuer.provider = undefined
      return { kids: issuer.keys.map((key) => key.kid) }
    },
    async mint(input) {
      const request = requireObject(input, 'mint')
      refuseUnknown(request, ['issuer', 'claims', 'expiresInSeconds', 'key', 'alg'], 'mint')
      const issuer = getIssuer(request['issuer'])
      const key = await pickKey(issuer, await loadKeys(issuer), request['key'])
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: issuerUrl(issuer.name),
        aud: 'causeway',
        iat: now,
        exp: now + Number(request['expiresInSeconds'] ?? 3600),
        ...requireObject(request['claims'] ?? {}, 'claims'),
      }
      return { token: signToken(claims, key, (request['alg'] as 'RS256' | undefined) ?? 'RS256') }
    },
    reset() {
      users = defaultUsers
      clients = defaultClients
      for (const issuer of issuers.values()) issuer.mode = { mode: 'normal' }
      rebuild()
    },
    async serve(request, response) {
      const url = request.url ?? '/'
      const [, name = MAIN_ISSUER] = /^\/issuers\/([\w-]+)(?=\/|$)/.exec(url) ?? []
      const issuer = getIssuer(name)
      const mount = name === MAIN_ISSUER ? '' : `/issuers/${name}`
      const local = url.slice(mount.length) || '/'
      if (await misbehave(issuer.mode, local, request, response)) return
      const provider = await loadProvider(issuer)
      const path = local.split('?')[0] ?? '/'
      if (isInteractionPath(path)) return serveInteraction(provider, users, request, response)
      // The provider finds its mount point by comparing these two.
      Object.assign(request, { originalUrl: url, url: local })
      await provider.callback()(request, response)
    },
  }
}

async function pickKey(issuer: Issuer, keys: readonly SigningKey[], which: unknown): Promise<SigningKey> {
  const current = keys[0] ?? (await generateSigningKey())
  if (which === 'retired') return issuer.retired[0] ?? current
  if (which === 'unpublished') return generateSigningKey()
  // A forged token names a key that is really published but was signed with another.
  if (which === 'forged') return { ...(await generateSigningKey()), kid: current.kid }
  return current
}
