/** Reads the environment once, at start, and reports all mistakes together. */
import { readFileSync } from 'node:fs'
import type { DatabaseConfig } from '../../foundation/database/database-config.ts'
import { findDestination } from '../../foundation/domain/notification-destination.ts'
import { mayBePlain } from '../../foundation/domain/ssl-mode.ts'
import { decideUrl, parseEgressAllow } from '../../foundation/platform/egress-guard.ts'
import { isDefaultPassword } from '../../modules/sign-in/default-password.ts'
import type { Variable } from './variable.ts'
import { variables } from './variables.ts'

type Values = { readonly [K in keyof typeof variables]: (typeof variables)[K] extends Variable<infer T> ? T : never }

export interface Config extends Values {
  readonly region: string
  readonly database: DatabaseConfig
}

export type ConfigResult =
  | { readonly kind: 'valid'; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly mistakes: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(environment: Environment): ConfigResult {
  const mistakes: string[] = []
  const values: Record<string, unknown> = {}
  for (const [key, variable] of Object.entries(variables) as [string, Variable<unknown>][]) {
    let raw = ''
    try {
      raw = readRawValue(variable, environment)
      values[key] = raw === '' ? variable.fallback : variable.parse(raw)
    } catch (error) {
      mistakes.push(`${variable.name} ${(error as Error).message}${shown(variable, raw)}`)
    }
  }
  const read = values as unknown as Values
  if (mistakes.length === 0) mistakes.push(...mistakesBetween(read))
  if (mistakes.length > 0) return { kind: 'invalid', mistakes }
  const region = read.awsRegion ?? read.awsDefaultRegion ?? 'us-east-1'
  const config: Config = { ...read, region, database: readDatabase(read) }
  return { kind: 'valid', config, warnings: listWarnings(config, environment) }
}

/** Empty counts as unset: compose files and charts pass empty strings for what nobody filled in. */
function readRawValue(variable: Variable<unknown>, environment: Environment): string {
  const own = environment[variable.name]?.trim() ?? ''
  const file = isSecret(variable) ? (environment[`${variable.name}_FILE`]?.trim() ?? '') : ''
  if (file === '') return own
  if (own !== '') throw new Error(`and ${variable.name}_FILE are both set: keep one`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`cannot be read from ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Addresses that may hold a password, or a secret in their path. */
const secretAddresses: readonly string[] = ['DATABASE_URL', 'BUDGET_NOTIFICATION_URL']

/** These may stand in a file, named by the variable with `_FILE` behind it, as orchestrators mount secrets. */
export function isSecret(variable: Pick<Variable<unknown>, 'kind' | 'name'>): boolean {
  return variable.kind === 'secret' || secretAddresses.includes(variable.name)
}

/** Secrets are never repeated in a message, not even wrong ones, nor what stands before the host of an address. */
function shown(variable: Variable<unknown>, raw: string): string {
  if (isSecret(variable) || raw === '') return ''
  return ` (it is ${JSON.stringify(raw.replace(/\/\/[^/\s]*@/, '//…@').slice(0, 200))})`
}

function mistakesBetween(read: Values): string[] {
  const mistakes: string[] = []
  if ((read.tlsCert === null) !== (read.tlsKey === null)) mistakes.push('TLS_CERT and TLS_KEY must be set together')
  if (read.tracesExporter === 'otlp' && read.otlpEndpoint === null)
    mistakes.push('OTEL_TRACES_EXPORTER=otlp needs OTEL_EXPORTER_OTLP_ENDPOINT')
  if (read.oidcIssuer !== null && read.oidcAudience === null)
    mistakes.push('OIDC_AUDIENCE must be set with OIDC_ISSUER: an empty audience would accept any token of that issuer')
  if (read.rdsIamAuth && (read.databaseUrl !== null || read.databaseHost === null))
    mistakes.push('RDS_IAM_AUTH needs DATABASE_HOST, and DATABASE_URL unset')
  if (read.rdsIamAuth && read.databaseSslMode !== null && mayBePlain(read.databaseSslMode))
    mistakes.push('RDS_IAM_AUTH sends a token: DATABASE_SSLMODE must be require, verify-ca or verify-full')
  const refused = read.budgetNotificationUrl === null ? undefined : refusedWebhook(read.budgetNotificationUrl, read)
  if (refused !== undefined) mistakes.push(`BUDGET_NOTIFICATION_URL cannot be called: ${refused}`)
  const database = readDatabase(read)
  if (read.workers > 1 && (database.kind === 'none' || database.kind === 'embedded'))
    mistakes.push('WORKERS above 1 needs a Postgres server in DATABASE_URL or DATABASE_HOST')
  return mistakes
}

/** What the guard of outgoing calls says without asking for a name: later every event would fail for the same reason. */
function refusedWebhook(address: string, { egressAllow }: Values): string | undefined {
  if (findDestination(address).type !== 'webhook') return undefined
  const decision = decideUrl(address, parseEgressAllow(egressAllow.join(',')))
  return decision.kind === 'refused' ? decision.reason : undefined
}

function readDatabase(read: Values): DatabaseConfig {
  if (read.databaseUrl !== null) {
    const url = read.databaseUrl.reveal()
    return url.startsWith('embedded:')
      ? { kind: 'embedded', directory: url.slice('embedded:'.length) }
      : { kind: 'url', url: read.databaseUrl }
  }
  if (read.databaseHost === null) return { kind: 'none' }
  return {
    kind: 'parts',
    host: read.databaseHost,
    port: read.databasePort,
    name: read.databaseName,
    user: read.databaseUser,
    password: read.databasePassword,
    rdsIamAuth: read.rdsIamAuth,
    sslMode: read.databaseSslMode,
    sslRootCert: read.databaseSslRootCert,
  }
}

const watchedPrefixes = ['OIDC_', 'DATABASE_', 'PROXY_']

function listWarnings(config: Config, environment: Environment): string[] {
  const known = new Set(
    Object.values(variables).flatMap((variable) =>
      isSecret(variable) ? [variable.name, `${variable.name}_FILE`] : [variable.name],
    ),
  )
  const warnings = Object.keys(environment)
    .filter((name) => watchedPrefixes.some((prefix) => name.startsWith(prefix)) && !known.has(name))
    .map((name) => `${name} is not a variable of this program and is ignored; is it misspelt?`)
  if (isDefaultPassword(config.adminPassword))
    warnings.push('ADMIN_PASSWORD is the default "admin": set another before anybody else can reach this gateway')
  if (config.awsRegion === null && config.awsDefaultRegion === null)
    warnings.push('AWS_REGION is not set; us-east-1 is assumed')
  return warnings
}
