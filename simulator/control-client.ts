import type { BearerKey, Role } from './aws/accounts.ts'
import type { ApplicationProfile } from './aws/profiles.ts'
import type { Script, ScriptRequest } from './behaviour.ts'
import type { LedgerEntry } from './ledger.ts'
import type { OidcMode } from './neighbours/oidc-mode.ts'
import type { RecordedSearch, SearchScript } from './neighbours/search-engines.ts'
import type { ReceivedWebhook, WebhookScript } from './neighbours/webhook-sink.ts'
import type { Published, RecordedRequest } from './recorder.ts'
import type { Settings } from './settings.ts'

export type ShownRequest = Omit<RecordedRequest, 'body'> & { readonly body: string }

export type AccountRequest = {
  readonly account: string
  readonly accessKey?: string
  readonly secretKey?: string
  readonly bearerKey?: BearerKey['key']
  /** The one region a bearer key works in. */
  readonly region?: string
  readonly deniedModels?: readonly string[]
}

export type ProfileRequest =
  | {
      readonly op: 'add'
      readonly id: string
      readonly foundationModelId: string
      readonly name?: string
      readonly account?: string
      readonly region?: string
    }
  | { readonly op: 'remove'; readonly id: string; readonly account?: string; readonly region?: string }
  | { readonly op: 'remove-application'; readonly arn: string }

export type ApplicationProfileRequest = {
  readonly account: string
  readonly region: string
  readonly foundationModelId: string
  readonly id?: string
  readonly name?: string
}

export type ModelRequest = {
  readonly foundationModelId: string
  readonly like: string
  readonly apiModelId?: string
  readonly displayName?: string
  readonly prefixes?: readonly string[]
  readonly contextWindow?: number
  readonly maxOutput?: number
}

export type MintRequest = {
  readonly issuer?: string
  readonly claims?: Readonly<Record<string, unknown>>
  readonly expiresInSeconds?: number
  /** 'forged' claims the current key's id but is signed with another key. */
  readonly key?: 'current' | 'retired' | 'unpublished' | 'forged'
  readonly alg?: 'RS256' | 'HS256' | 'none'
}

export type LedgerFilter = Partial<
  Record<'operation' | 'account' | 'region' | 'modelId' | 'foundationModelId', string>
> & { readonly after?: number }

export type ControlClient = ReturnType<typeof controlClient>

/** Typed access to the control port, for tests. */
export function controlClient(controlUrl: string) {
  const call = async <Reply>(method: string, path: string, body?: unknown): Promise<Reply> => {
    const reply = await fetch(`${controlUrl}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const answer = (await reply.json()) as Reply & { error?: string }
    if (!reply.ok) throw new Error(`simulator control ${method} ${path}: ${answer.error}`)
    return answer
  }
  return {
    script: (request: ScriptRequest) => call<Script>('POST', '/scripts', request),
    scripts: () => call<Script[]>('GET', '/scripts'),
    removeScript: (id: string) => call<{ removed: boolean }>('DELETE', `/scripts/${id}`),
    clearScripts: () => call('DELETE', '/scripts'),
    ledger: (filter: LedgerFilter = {}) => {
      const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
      return call<LedgerEntry[]>('GET', `/ledger?${query}`)
    },
    clearLedger: () => call('DELETE', '/ledger'),
    requests: () => call<ShownRequest[]>('GET', '/requests'),
    settings: () => call<Settings>('GET', '/settings'),
    setSettings: (change: Partial<Omit<Settings, 'pace'>> & { readonly pace?: Partial<Settings['pace']> }) =>
      call<Settings>('PUT', '/settings', change),
    addAccount: (account: AccountRequest) =>
      call<{ account: string; accessKey: string; secretKey: string }>('POST', '/accounts', account),
    addRole: (role: Role) => call<Role>('POST', '/roles', role),
    removeRole: (arn: string) => call<{ removed: boolean }>('DELETE', `/roles/${encodeURIComponent(arn)}`),
    expireSessions: (roleArn?: string) =>
      call<{ expired: number }>('POST', '/sessions/expire', roleArn === undefined ? {} : { roleArn }),
    changeProfile: (request: ProfileRequest) => call('POST', '/profiles', request),
    defineApplicationProfile: (request: ApplicationProfileRequest) =>
      call<ApplicationProfile>('POST', '/profiles', { op: 'define-application', ...request }),
    defineModel: (request: ModelRequest) => call('POST', '/models', request),
    published: () => call<Published[]>('GET', '/published'),
    webhooks: () => call<ReceivedWebhook[]>('GET', '/webhooks'),
    clearWebhooks: () => call('DELETE', '/webhooks'),
    scriptWebhook: (script: WebhookScript) => call<WebhookScript>('POST', '/webhooks/script', script),
    searches: () => call<RecordedSearch[]>('GET', '/searches'),
    scriptSearch: (script: SearchScript) => call<SearchScript>('POST', '/searches/script', script),
    setOidcUser: (user: { readonly sub: string; readonly claims: Readonly<Record<string, unknown>> }) =>
      call('POST', '/oidc/users', user),
    addOidcClient: (client: {
      readonly clientId: string
      readonly clientSecret?: string
      readonly redirectUris?: readonly string[]
    }) => call('POST', '/oidc/clients', client),
    setOidcMode: (mode: OidcMode) => call('POST', '/oidc/mode', mode),
    rotateOidcKeys: (request: { readonly issuer?: string; readonly keepOld?: boolean } = {}) =>
      call<{ kids: string[] }>('POST', '/oidc/rotate-keys', request),
    mintToken: async (request: MintRequest) => (await call<{ token: string }>('POST', '/oidc/mint', request)).token,
    reset: () => call('POST', '/reset', {}),
  }
}
