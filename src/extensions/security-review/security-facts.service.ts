/** How this process was started, as far as the security page needs to know it. No secret leaves this file. */

import type { DatabaseConfig } from '../../foundation/database/database-config.ts'
import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import { isLoopback } from '../../foundation/platform/loopback.ts'
import type { Secret } from '../../foundation/platform/secret.ts'
import { priceListBase, priceListUrl } from '../../modules/models/price-list.ts'
import { isDefaultPassword } from '../../modules/sign-in/default-password.ts'
import type { DatabaseFacts, PasswordFacts, SecurityFacts } from './security-ports.ts'

/** The variables that the review judges. */
export interface ReviewedConfig {
  readonly adminUsername: string
  readonly adminPassword: Secret
  readonly adminPasswordEnable: boolean
  readonly database: DatabaseConfig
  readonly region: string
  readonly proxyHost: string
  readonly trustedProxies: readonly string[]
  readonly tlsCert: string | null
  readonly secretKey: Secret | null
  readonly metricsToken: Secret | null
  readonly logLevel: string
  readonly egressAllow: readonly string[]
  readonly searchEgressAllow: readonly string[]
  readonly spendJournalDir: string
  readonly otlpEndpoint: string | null
  readonly tracesExporter: 'none' | 'otlp'
  readonly pricingRefreshEnabled: boolean
  readonly priceListUrl: string | null
  readonly awsEndpointUrl: string | null
  readonly awsEndpointUrlBedrock: string | null
  readonly awsEndpointUrlBedrockRuntime: string | null
  readonly awsEndpointUrlServiceQuotas: string | null
  readonly awsEndpointUrlSts: string | null
  readonly awsEndpointUrlSns: string | null
  readonly awsEndpointUrlEventbridge: string | null
  readonly awsEndpointUrlPricing: string | null
}

export interface SecurityParts {
  readonly config: ReviewedConfig
  readonly version: string
  readonly link: DatabaseLink
  /** Undefined until the ports are open, which every call comes after. */
  readonly listeners: () => { readonly certificateExpiresAtMs: number | null } | undefined
  readonly findCredentialKind: SecurityFacts['findCredentialKind']
}

const SHORTEST_PASSWORD = 12

export function securityFacts({ config, version, link, listeners, findCredentialKind }: SecurityParts): SecurityFacts {
  return {
    version,
    password: passwordFacts(config),
    listening: () => ({
      host: config.proxyHost,
      isLoopbackOnly: isLoopback(config.proxyHost),
      hasCertificate: config.tlsCert !== null,
      certificateExpiresAtMs: listeners()?.certificateExpiresAtMs ?? null,
    }),
    trustedProxies: config.trustedProxies,
    database: databaseFacts(config),
    databaseTransport: () => link.find()?.transport,
    hasSecretKey: config.secretKey !== null,
    logLevel: config.logLevel,
    isMetricsGuarded: config.metricsToken !== null,
    egressAllow: config.egressAllow,
    searchEgressAllow: config.searchEgressAllow,
    journalDirectory: config.spendJournalDir,
    findCredentialKind,
    addresses: {
      bedrockRuntime: config.awsEndpointUrlBedrockRuntime ?? config.awsEndpointUrl,
      bedrock: config.awsEndpointUrlBedrock ?? config.awsEndpointUrl,
      serviceQuotas: config.awsEndpointUrlServiceQuotas ?? config.awsEndpointUrl,
      sts: config.awsEndpointUrlSts ?? config.awsEndpointUrl,
      sns: config.awsEndpointUrlSns ?? config.awsEndpointUrl,
      eventBridge: config.awsEndpointUrlEventbridge ?? config.awsEndpointUrl,
      priceList:
        config.pricingRefreshEnabled && link.isConfigured
          ? priceListUrl(priceListBase(config), config.region)
          : undefined,
      telemetry: config.otlpEndpoint,
      sendsTraces: config.tracesExporter === 'otlp',
    },
  }
}

function passwordFacts(config: ReviewedConfig): PasswordFacts {
  const { adminUsername: username, adminPassword, adminPasswordEnable: isForcedOn } = config
  const password = adminPassword.reveal()
  const weakness = isDefaultPassword(adminPassword)
    ? 'default'
    : password.toLowerCase() === username.toLowerCase()
      ? 'username'
      : password.length < SHORTEST_PASSWORD
        ? 'short'
        : null
  return { username, isForcedOn, weakness }
}

function databaseFacts({ database }: ReviewedConfig): DatabaseFacts {
  switch (database.kind) {
    case 'none':
    case 'embedded':
      return { kind: database.kind }
    case 'parts': {
      const { host, port } = database
      return { ...serverAt(host, String(port)), modeVariable: 'DATABASE_SSLMODE' }
    }
    case 'url': {
      // libpq takes a user without a host when `?host=` names a socket; the URL standard does not.
      const url = new URL(database.url.reveal().replace(/^(\w+:\/\/[^/?#]*@)(?=\/)/, '$1localhost'))
      const host = decodeURIComponent(url.searchParams.get('host') ?? url.hostname)
      return { ...serverAt(host, url.port || '5432'), modeVariable: 'DATABASE_URL' }
    }
  }
}

function serverAt(host: string, port: string) {
  const isSocket = host.startsWith('/')
  const isLocal = isSocket || host === '' || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))
  return { kind: 'server', host: isSocket ? host : `${host}:${port}`, isLocal } as const
}
