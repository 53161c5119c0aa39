/** Turns the database configuration into what pg needs: address, credential and TLS. */
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { isSslMode, type SslMode, sslModes } from '../domain/ssl-mode.ts'
import { DatabaseSetupError } from './store-errors.ts'

export interface UrlOptions {
  readonly kind: 'url'
  readonly url: string
}

export interface PartsOptions {
  readonly kind: 'parts'
  readonly host: string
  readonly port: number
  readonly name: string
  readonly user: string
  readonly password?: string | null
  readonly rdsIamAuth: boolean
  /** Needed with `rdsIamAuth`: the token is signed for one region. */
  readonly region?: string
  readonly sslMode?: SslMode | null
  readonly sslRootCert?: string | null
}

export interface Connection {
  readonly config: ClientConfig
  /** TLS is tried first and given up when the server has none. */
  readonly mayFallBackToPlain: boolean
}

/** How the bytes travel. `unverified`: encrypted, to whoever answers. */
export type Transport = 'plain' | 'unverified' | 'verified'

export function describeTransport(ssl: ClientConfig['ssl']): Transport {
  if (ssl === undefined || ssl === false) return 'plain'
  return ssl === true || ssl.rejectUnauthorized !== false ? 'verified' : 'unverified'
}

export async function connectionFrom(options: UrlOptions | PartsOptions): Promise<Connection> {
  return options.kind === 'url' ? connectionFromUrl(options.url) : connectionFromParts(options)
}

const tlsParameters = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'] as const

async function connectionFromUrl(text: string): Promise<Connection> {
  // libpq takes a user without a host when `?host=` names a socket; the URL standard does not.
  const complete = text.replace(/^(\w+:\/\/[^/?#]*@)(?=\/)/, '$1localhost')
  if (!URL.canParse(complete)) throw new DatabaseSetupError('The database URL cannot be read as a URL.')
  const url = new URL(complete)
  const mode = url.searchParams.get('sslmode') ?? 'prefer'
  if (!isSslMode(mode))
    throw new DatabaseSetupError(
      `sslmode in the database URL must be one of ${sslModes.join(', ')}; it is ${JSON.stringify(mode)}.`,
    )
  const ssl = await tlsFor(mode, {
    ca: url.searchParams.get('sslrootcert'),
    cert: url.searchParams.get('sslcert'),
    key: url.searchParams.get('sslkey'),
  })
  // pg reads `require` as "verify", unlike libpq and every hosting guide; so it must not see these.
  for (const name of tlsParameters) url.searchParams.delete(name)
  const overSocket = decodeURIComponent(url.searchParams.get('host') ?? url.hostname).startsWith('/')
  return {
    config: { connectionString: url.href, ssl: overSocket ? false : ssl },
    mayFallBackToPlain: !overSocket && isGivenUp(mode),
  }
}

/** Whether TLS is only tried. */
function isGivenUp(mode: SslMode): boolean {
  return mode === 'prefer' || mode === 'allow'
}

async function connectionFromParts(options: PartsOptions): Promise<Connection> {
  const mode = options.sslMode ?? (options.rdsIamAuth ? 'require' : 'prefer')
  const overSocket = options.host.startsWith('/')
  const password = options.rdsIamAuth ? rdsTokenSource(options) : options.password
  return {
    config: {
      host: options.host,
      port: options.port,
      database: options.name,
      user: options.user,
      ssl: overSocket ? false : await tlsFor(mode, { ca: options.sslRootCert ?? null, cert: null, key: null }),
      ...(password == null ? {} : { password }),
    },
    mayFallBackToPlain: !overSocket && isGivenUp(mode),
  }
}

interface TlsFiles {
  readonly ca: string | null
  readonly cert: string | null
  readonly key: string | null
}

async function tlsFor(mode: SslMode, files: TlsFiles): Promise<false | TlsOptions> {
  if (mode === 'disable') return false
  const tls: TlsOptions = {}
  if (files.ca !== null && files.ca !== 'system') tls.ca = await readTlsFile('sslrootcert', files.ca)
  if (files.cert !== null) tls.cert = await readTlsFile('sslcert', files.cert)
  if (files.key !== null) tls.key = await readTlsFile('sslkey', files.key)
  if (mode === 'verify-full') return tls
  // libpq: `require` with a root certificate verifies the chain like `verify-ca`, and never the name.
  if (mode === 'verify-ca' || (mode === 'require' && files.ca !== null))
    return { ...tls, checkServerIdentity: () => undefined }
  return { ...tls, rejectUnauthorized: false }
}

async function readTlsFile(parameter: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new DatabaseSetupError(`${parameter} of the database names ${path}, which cannot be read.`, error)
  }
}

/** A token lives 15 minutes and is checked at connect only, so every connection asks for its own. */
function rdsTokenSource(options: PartsOptions): () => Promise<string> {
  const region = options.region
  if (region === undefined) throw new DatabaseSetupError('RDS IAM authentication needs a region.')
  return async () => {
    const { Signer } = await import('@aws-sdk/rds-signer')
    const signer = new Signer({ hostname: options.host, port: options.port, username: options.user, region })
    return signer.getAuthToken()
  }
}
