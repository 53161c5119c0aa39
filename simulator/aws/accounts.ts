import { createHash, randomBytes } from 'node:crypto'

const DEFAULT_ACCOUNT = '111111111111'
export const DEFAULT_ACCESS_KEY = 'AKIASIMULATOR0000001'
export const DEFAULT_SECRET_KEY = 'simulator/secret/key/0000000000000000001'
const DEFAULT_ROLE_ACCOUNTS = ['222222222222', '333333333333']

export type Credential = {
  readonly accessKey: string
  readonly secretKey: string
  readonly account: string
  readonly roleArn?: string
  readonly externalId?: string
  readonly sessionName?: string
  /** Session tokens and the moment each stops working; undefined for long-term keys. */
  readonly tokens?: Map<string, number>
}

export type Role = {
  readonly arn: string
  /** When set, only a caller that sends exactly this value may assume the role. */
  readonly externalId?: string
  /** When set, only these accounts may assume the role. */
  readonly trustedAccounts?: readonly string[]
}

export type BearerKey = { readonly key: string; readonly account: string; readonly region: string }

export type Accounts = {
  readonly credentials: Map<string, Credential>
  readonly roles: Map<string, Role>
  readonly bearerKeys: Map<string, BearerKey>
  /** Foundation models an account may not use. */
  readonly deniedModels: Map<string, Set<string>>
}

export function accountOfArn(arn: string): string {
  return arn.split(':')[4] ?? ''
}

export function createAccounts(): Accounts {
  const accounts: Accounts = {
    credentials: new Map(),
    roles: new Map(),
    bearerKeys: new Map(),
    deniedModels: new Map(),
  }
  addDefaults(accounts)
  return accounts
}

function addDefaults(accounts: Accounts): void {
  accounts.credentials.set(DEFAULT_ACCESS_KEY, {
    accessKey: DEFAULT_ACCESS_KEY,
    secretKey: DEFAULT_SECRET_KEY,
    account: DEFAULT_ACCOUNT,
  })
  for (const account of DEFAULT_ROLE_ACCOUNTS) {
    const arn = `arn:aws:iam::${account}:role/causeway`
    accounts.roles.set(arn, { arn })
  }
}

/** Sessions survive a reset: a gateway under test keeps using the credentials it already holds. */
export function resetAccounts(accounts: Accounts): void {
  for (const [key, credential] of accounts.credentials) if (!credential.tokens) accounts.credentials.delete(key)
  accounts.roles.clear()
  accounts.bearerKeys.clear()
  accounts.deniedModels.clear()
  addDefaults(accounts)
}

export type IssuedSession = {
  readonly credential: Credential
  readonly sessionToken: string
  readonly expiresAtMs: number
}

/** The access key is a function of who assumed what, so that a test can tell the endpoints of a gateway apart. */
export function issueSession(
  accounts: Accounts,
  session: { readonly roleArn: string; readonly externalId: string | undefined; readonly sessionName: string },
  expiresAtMs: number,
): IssuedSession {
  const seed = JSON.stringify([session.roleArn, session.externalId ?? null, session.sessionName])
  const digest = createHash('sha256').update(seed).digest()
  const accessKey = `ASIA${digest.toString('hex').toUpperCase().slice(0, 16)}`
  let credential = accounts.credentials.get(accessKey)
  if (credential?.tokens === undefined) {
    credential = {
      accessKey,
      secretKey: digest.toString('base64').slice(0, 40),
      account: accountOfArn(session.roleArn),
      roleArn: session.roleArn,
      sessionName: session.sessionName,
      tokens: new Map(),
      ...(session.externalId === undefined ? {} : { externalId: session.externalId }),
    }
    accounts.credentials.set(accessKey, credential)
  }
  const sessionToken = randomBytes(96).toString('base64')
  credential.tokens?.set(sessionToken, expiresAtMs)
  return { credential, sessionToken, expiresAtMs }
}

/** Ends the sessions of one role, or all of them, at once. */
export function expireSessions(accounts: Accounts, roleArn: string | undefined): number {
  let expired = 0
  for (const credential of accounts.credentials.values()) {
    if (!credential.tokens || (roleArn !== undefined && credential.roleArn !== roleArn)) continue
    for (const token of credential.tokens.keys()) {
      credential.tokens.set(token, 0)
      expired += 1
    }
  }
  return expired
}
