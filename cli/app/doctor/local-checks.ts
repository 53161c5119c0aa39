/** Looks at this machine as a place to run the gateway: configuration, database, AWS, certificates, the way out. */
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../src/app/config/config.ts'
import type { Io } from '../../terminal/io.ts'
import { clockFinding, type Finding, fail, pass, permissionFinding, skip, warn, warningFinding } from './finding.ts'

const DAY_MS = 86_400_000
const CERTIFICATE_WARNING_DAYS = 21
const EGRESS_TIMEOUT_MS = 5_000

export async function* localChecks(io: Io): AsyncGenerator<Finding> {
  const { readConfig } = await import('../../../src/app/config/config.ts')
  const read = readConfig(io.environment)
  if (read.kind === 'invalid') {
    for (const mistake of read.mistakes)
      yield fail('configuration', mistake, 'correct the variable; docs/configuration.md describes every one')
    return
  }
  yield pass('configuration', 'the environment is valid')
  for (const text of read.warnings) yield warn('configuration', text, 'see docs/configuration.md')
  const { config } = read
  const facts = await import('../../../src/app/local-facts.ts')
  let endpoints: Awaited<ReturnType<typeof facts.findDatabaseFacts>>
  try {
    endpoints = await facts.findDatabaseFacts(config)
    yield* databaseFindings(endpoints)
  } catch (error) {
    yield fail(
      'database',
      readCause(error),
      'check DATABASE_URL or DATABASE_HOST, the password, the network and the rights of the user',
    )
  }
  yield* await awsFindings(io, config, facts)
  yield* await endpointFindings(config, facts, endpoints?.endpoints ?? [])
  yield* await addressFindings(config)
  yield await certificateFinding(config)
  yield await journalFinding(config)
  yield await egressFinding(facts.findPriceList(config))
}

function* databaseFindings(
  facts: Awaited<ReturnType<typeof import('../../../src/app/local-facts.ts').findDatabaseFacts>>,
): Generator<Finding> {
  if (facts === undefined) {
    yield warn(
      'database',
      'none is configured: keys, spend and settings are not kept',
      'set DATABASE_URL, for a trial to embedded:./data/postgres',
    )
    return
  }
  yield pass('database', `Postgres ${facts.serverVersion}`)
  const pending = facts.pendingMigrations.length
  yield pending === 0
    ? pass('database.migrations', 'the schema is up to date')
    : warn('database.migrations', `${pending} migrations have not run yet`, 'start the gateway, or causeway migrate')
  yield clockFinding('clock.database', facts.clockAheadMs, 'the database')
}

type Facts = typeof import('../../../src/app/local-facts.ts')

async function awsFindings(io: Io, config: Config, facts: Facts): Promise<readonly Finding[]> {
  if (config.awsBearerTokenBedrock !== null) return [pass('aws.identity', 'AWS_BEARER_TOKEN_BEDROCK is used')]
  try {
    const identity = await facts.findIdentity(config, io.environment['AWS_ENDPOINT_URL_STS'] || undefined)
    return [
      pass('aws.identity', `${identity.arn} in ${config.region}`),
      // The header has whole seconds, cut off.
      ...(identity.serverTimeMs === null
        ? []
        : [clockFinding('clock.aws', identity.serverTimeMs + 500 - Date.now(), 'AWS')]),
    ]
  } catch (error) {
    return [
      fail(
        'aws.identity',
        `no usable AWS credentials: ${readCause(error)}`,
        'give the process a role, a profile or keys; AWS_REGION names the region',
      ),
    ]
  }
}

async function endpointFindings(
  config: Config,
  facts: Facts,
  stored: Parameters<Facts['checkEndpointsHere']>[1],
): Promise<readonly Finding[]> {
  try {
    const checked = await facts.checkEndpointsHere(config, stored)
    return checked.flatMap(({ name, hasOwnProfiles, check, warnings }) => [
      check.health.status === 'healthy'
        ? pass(`endpoint.${name}.health`, `${name}: ${check.health.availableModels?.size ?? 0} models`)
        : fail(
            `endpoint.${name}.health`,
            `${name}: ${check.health.reason ?? check.health.status}`,
            'correct what the reason names',
          ),
      ...warnings.map(({ modelId, ...row }) => warningFinding(name, { ...row, model_id: modelId })),
      ...check.permissions.map((row) => permissionFinding({ name, hasOwnProfiles }, row)),
    ])
  } catch (error) {
    return [fail('endpoints', readCause(error), 'look at the AWS findings above')]
  }
}

async function addressFindings(config: Config): Promise<readonly Finding[]> {
  const address =
    config.publicUrl === null
      ? warn(
          'public-url',
          'PUBLIC_URL is not set: the address is guessed from each request',
          'set it to the address that people use',
        )
      : pass('public-url', `the redirect URI for identity providers is ${config.publicUrl.replace(/\/$/, '')}/portal`)
  if (config.oidcIssuer === null) return [address, skip('idp', 'OIDC_ISSUER is not set')]
  const url = `${config.oidcIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(EGRESS_TIMEOUT_MS) })
    const document = (await response.json()) as { issuer?: string; jwks_uri?: string }
    if (document.jwks_uri === undefined) throw new Error('the document names no jwks_uri')
    if (document.issuer !== config.oidcIssuer)
      return [
        address,
        warn(
          'idp',
          `the document of ${config.oidcIssuer} calls its issuer ${document.issuer}`,
          'set OIDC_ISSUER to exactly that',
        ),
      ]
    return [address, pass('idp', `${config.oidcIssuer} can be discovered`)]
  } catch (error) {
    return [address, fail('idp', `${url}: ${readCause(error)}`, 'check OIDC_ISSUER and the way out of this network')]
  }
}

async function certificateFinding(config: Config): Promise<Finding> {
  if (config.tlsCert === null || config.tlsKey === null)
    return skip(
      'tls',
      'TLS_CERT is not set: a self-signed certificate is made on loopback, elsewhere a load balancer brings its own',
    )
  try {
    await access(config.tlsKey, constants.R_OK)
    const certificate = new X509Certificate(await readFile(config.tlsCert))
    const days = Math.floor((Date.parse(certificate.validTo) - Date.now()) / DAY_MS)
    if (days < 0) return fail('tls', 'the certificate has expired', 'renew it')
    return days < CERTIFICATE_WARNING_DAYS
      ? warn('tls', `the certificate ends in ${days} days`, 'renew it')
      : pass('tls', `the certificate is good for ${days} days`)
  } catch (error) {
    return fail(
      'tls',
      `TLS_CERT or TLS_KEY cannot be used: ${readCause(error)}`,
      'name PEM files that this user may read',
    )
  }
}

/** Looks and makes nothing: the folder itself may be made by the first start. */
async function journalFinding(config: Config): Promise<Finding> {
  let folder = resolve(config.spendJournalDir)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    await access(folder, constants.W_OK)
    return pass('journal', `${config.spendJournalDir} can be written`)
  } catch (error) {
    return fail(
      'journal',
      `the spend journal cannot be written: ${readCause(error)}`,
      'point SPEND_JOURNAL_DIR to a folder of this user that survives restarts',
    )
  }
}

async function egressFinding(url: string | undefined): Promise<Finding> {
  if (url === undefined) return skip('egress', 'the price list is not read: PRICING_REFRESH_ENABLED is off')
  try {
    const response = await fetch(url, { method: 'GET', signal: AbortSignal.timeout(EGRESS_TIMEOUT_MS) })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`${new URL(url).host} answers with status ${response.status}`)
    return pass('egress', 'the price list can be reached')
  } catch (error) {
    return warn(
      'egress',
      `the price list cannot be reached: ${readCause(error)}`,
      'allow https to it, name a copy with PRICE_LIST_URL, or set PRICING_REFRESH_ENABLED=false and set prices by hand',
    )
  }
}

function readCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
