/** Every environment variable of the gateway, once. */
import { userClaims } from '../../foundation/domain/idp.ts'
import { sslModes } from '../../foundation/domain/ssl-mode.ts'
import { MAX_SUBJECT_LENGTH } from '../../foundation/domain/user.ts'
import { Secret } from '../../foundation/platform/secret.ts'
import {
  addressRanges,
  egressEntries,
  type LogLevel,
  notificationTarget,
  parseDatabaseHost,
  parseHost,
  parseIssuer,
  parseLogLevel,
  parseOrigin,
  parseRegion,
  parseSecretKey,
  secret,
  subjects,
  warehouseUrl,
  within,
} from './parse-values.ts'
import { choice, flag, integer, parsed, text, url } from './variable.ts'

const port = { low: 0, high: 65535 }

export const variables = {
  proxyHost: parsed('PROXY_HOST', 'host', parseHost, {
    group: 'Listening',
    fallback: '127.0.0.1',
    text: 'Listen address. Use 0.0.0.0 for container or remote access.',
  }),
  proxyPort: integer('PROXY_PORT', port, {
    group: 'Listening',
    fallback: 8080,
    text: 'HTTP port. 0 takes any free port.',
  }),
  tlsPort: integer('TLS_PORT', port, {
    group: 'Listening',
    fallback: 443,
    text: 'HTTPS port. Starts when listening on loopback or when TLS_CERT is set; 0 switches it off. A port that cannot be bound is reported and does not stop HTTP.',
  }),
  tlsCert: text('TLS_CERT', {
    group: 'Listening',
    fallback: null,
    text: 'Certificate file. If unset, a self-signed certificate is made and kept under DATA_DIR.',
  }),
  tlsKey: text('TLS_KEY', { group: 'Listening', fallback: null, text: 'Private key file that belongs to TLS_CERT.' }),
  publicUrl: parsed<string | null>('PUBLIC_URL', 'origin', parseOrigin, {
    group: 'Listening',
    fallback: null,
    text: 'The origin that browsers and clients use.',
  }),
  workers: integer(
    'WORKERS',
    { low: 1, high: 64 },
    {
      group: 'Listening',
      fallback: 1,
      text: 'Worker processes sharing the port, each a full instance. More than one needs a Postgres server.',
    },
  ),
  drainTimeoutSeconds: integer(
    'DRAIN_TIMEOUT_SECONDS',
    { low: 0, high: 3600 },
    {
      group: 'Listening',
      fallback: 110,
      text: 'On SIGTERM readiness goes off at once, and streams may finish for this long.',
    },
  ),
  firstByteTimeoutSeconds: integer(
    'FIRST_BYTE_TIMEOUT_SECONDS',
    { low: 1, high: 3600 },
    {
      group: 'Network',
      fallback: 600,
      text: 'How long an endpoint may take to begin its answer before the next one is tried. An answer that is not streamed begins when it is complete.',
    },
  ),
  dataDir: text('DATA_DIR', {
    group: 'Listening',
    fallback: './data',
    text: 'Where the self-signed certificate and other local files are kept.',
  }),
  logLevel: parsed<LogLevel>('RUST_LOG', 'level', parseLogLevel, {
    group: 'Logging',
    fallback: 'info',
    text: 'Log level: error, warn, info, debug or trace. `debug` logs request and response bodies. In a list with `target=level` pairs the plain level counts.',
  }),
  logFormat: choice('LOG_FORMAT', ['text', 'json'], {
    group: 'Logging',
    fallback: 'text',
    text: 'One line of text or one JSON object per entry.',
  }),
  databaseUrl: parsed<Secret | null>('DATABASE_URL', 'Postgres URL or `embedded:<directory>`', parseDatabaseUrl, {
    group: 'Database',
    fallback: null,
    text: 'Full Postgres connection string, or `embedded:<directory>`: the gateway starts and owns a private Postgres there. Without DATABASE_URL and DATABASE_HOST the gateway runs without a database.',
  }),
  databaseHost: parsed<string | null>('DATABASE_HOST', 'host', parseDatabaseHost, {
    group: 'Database',
    fallback: null,
    text: 'Postgres host; alternative to DATABASE_URL, which wins when both are set.',
  }),
  databasePort: integer(
    'DATABASE_PORT',
    { low: 1, high: 65535 },
    { group: 'Database', fallback: 5432, text: 'Used with DATABASE_HOST.' },
  ),
  databaseName: text('DATABASE_NAME', { group: 'Database', fallback: 'proxy', text: 'Used with DATABASE_HOST.' }),
  databaseUser: text('DATABASE_USER', { group: 'Database', fallback: 'proxy', text: 'Used with DATABASE_HOST.' }),
  databasePassword: parsed<Secret | null>('DB_PASSWORD', 'secret', secret, {
    group: 'Database',
    fallback: null,
    text: 'Used with DATABASE_HOST.',
  }),
  databaseSslMode: choice('DATABASE_SSLMODE', sslModes, {
    group: 'Database',
    fallback: null,
    shownDefault: 'prefer; require with RDS_IAM_AUTH',
    text: 'Used with DATABASE_HOST, as libpq means it: only verify-ca and verify-full look at the certificate of the server.',
  }),
  databaseSslRootCert: text('DATABASE_SSLROOTCERT', {
    group: 'Database',
    fallback: null,
    text: 'Used with DATABASE_HOST: the file of the authority that signed the certificate of the server, such as the bundle of RDS.',
  }),
  rdsIamAuth: flag('RDS_IAM_AUTH', {
    group: 'Database',
    fallback: false,
    text: 'Short-lived IAM auth tokens replace a static password. Needs DATABASE_HOST; the connection uses TLS.',
  }),
  spendJournalDir: text('SPEND_JOURNAL_DIR', {
    group: 'Database',
    fallback: './data/journal',
    text: 'Where spend records wait while the database is away.',
  }),
  adminUsername: parsed('ADMIN_USERNAME', 'text', within(MAX_SUBJECT_LENGTH), {
    group: 'Sign-in',
    fallback: 'admin',
    text: 'Bootstrap admin username.',
  }),
  adminPassword: parsed('ADMIN_PASSWORD', 'secret', secret, {
    group: 'Sign-in',
    fallback: new Secret('admin'),
    shownDefault: 'admin',
    text: 'Bootstrap admin password. A warning is logged at start if the default is used. Setting it does not by itself enable admin login.',
  }),
  adminPasswordEnable: flag('ADMIN_PASSWORD_ENABLE', {
    group: 'Sign-in',
    fallback: false,
    shownDefault: 'none',
    text: '`true` forces admin login on, overriding the runtime setting; a recovery aid.',
  }),
  adminUsers: parsed<readonly string[]>('ADMIN_USERS', 'comma-separated list', subjects, {
    group: 'Sign-in',
    fallback: [],
    shownDefault: 'none',
    text: 'OIDC subjects created as admin users at start; existing users are skipped.',
  }),
  oidcIssuer: parsed<string | null>('OIDC_ISSUER', 'URL', parseIssuer, {
    group: 'Sign-in',
    fallback: null,
    text: 'One-time identity-provider bootstrap: used while no provider with this issuer exists.',
  }),
  oidcName: parsed<string | null>('OIDC_NAME', 'text', within(100), {
    group: 'Sign-in',
    fallback: null,
    shownDefault: 'auto',
    text: 'Display name of that provider; derived from the issuer URL, else `SSO`.',
  }),
  oidcAudience: text('OIDC_AUDIENCE', {
    group: 'Sign-in',
    fallback: null,
    text: 'Expected audience claim. Needed with OIDC_ISSUER.',
  }),
  oidcJwksUrl: url('OIDC_JWKS_URL', {
    group: 'Sign-in',
    fallback: null,
    shownDefault: 'auto',
    text: 'JWKS URL; found through `{issuer}/.well-known/openid-configuration` if unset.',
  }),
  oidcUserClaim: choice('OIDC_USER_CLAIM', userClaims, {
    group: 'Sign-in',
    fallback: null,
    text: 'Claim that identifies the user.',
  }),
  secretKey: parsed<Secret | null>('SECRET_KEY', 'secret', parseSecretKey, {
    group: 'Sign-in',
    fallback: null,
    shownDefault: 'made at first start, kept in the database',
    text: 'Encrypts stored third-party secrets (AES-256-GCM). At least 32 characters.',
  }),
  egressAllow: parsed<readonly string[]>('EGRESS_ALLOW', 'comma-separated hosts or CIDRs', egressEntries, {
    group: 'Network',
    fallback: [],
    shownDefault: 'none',
    text: 'Private hosts that the addresses set by administrators (identity providers, webhooks, the search provider of everybody) may reach. Link-local and metadata addresses are never reachable.',
  }),
  searchEgressAllow: parsed<readonly string[]>('SEARCH_EGRESS_ALLOW', 'comma-separated hosts or CIDRs', egressEntries, {
    group: 'Network',
    fallback: [],
    shownDefault: 'none',
    text: 'Private hosts that the search providers of single people may reach, for whom EGRESS_ALLOW does not count.',
  }),
  trustedProxies: parsed<readonly string[]>('TRUSTED_PROXIES', 'comma-separated addresses or CIDRs', addressRanges, {
    group: 'Network',
    fallback: [],
    shownDefault: 'none',
    text: 'Load balancers whose `x-forwarded-for` is believed: login throttling, the audit log and the address shown at a sign-in then see the caller behind them. Unset, only the connection counts.',
  }),
  metricsToken: parsed<Secret | null>('METRICS_TOKEN', 'secret', secret, {
    group: 'Observability',
    fallback: null,
    text: 'When set, `/metrics` wants it as bearer token.',
  }),
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    group: 'Observability',
    fallback: null,
    text: 'OTLP gRPC endpoint. When set all metrics are exported every 60 seconds, in addition to `/metrics`.',
  }),
  tracesExporter: choice('OTEL_TRACES_EXPORTER', ['none', 'otlp'], {
    group: 'Observability',
    fallback: 'none',
    text: '`otlp` sends one trace for each call to OTEL_EXPORTER_OTLP_ENDPOINT: its stages, ids and figures, never its text. A `traceparent` of the client is followed.',
  }),
  pricingRefreshInterval: integer(
    'PRICING_REFRESH_INTERVAL',
    { low: 60, high: 31_536_000 },
    {
      group: 'Prices and models',
      fallback: 86_400,
      text: 'Seconds between price refreshes.',
    },
  ),
  pricingRefreshEnabled: flag('PRICING_REFRESH_ENABLED', {
    group: 'Prices and models',
    fallback: true,
    text: '`false` or `0` switches the price refresh off.',
  }),
  priceListUrl: url('PRICE_LIST_URL', {
    group: 'Prices and models',
    fallback: null,
    shownDefault: 'the public bulk address',
    text: 'Base address of the AWS bulk price list.',
  }),
  capabilityProbeAip: flag('CAPABILITY_PROBE_AIP', {
    group: 'Prices and models',
    fallback: true,
    text: '`false` skips seed probes of AIP-mapped profiles. It holds until the setting `capability_probe_aip` is stored, which needs no restart.',
  }),
  budgetNotificationUrl: parsed<string | null>('BUDGET_NOTIFICATION_URL', 'https URL or ARN', notificationTarget, {
    group: 'Network',
    fallback: null,
    text: 'Fallback notification destination; an active configuration in the database wins.',
  }),
  warehouseUrl: parsed<string | null>('WAREHOUSE_URL', 's3:// URL or folder', warehouseUrl, {
    group: 'Observability',
    fallback: null,
    text: 'Where the spend log is written as Parquet, one file per day: `s3://bucket/prefix`, or an absolute folder, also as `file:///…`. Off if unset. A bucket in another region than AWS_REGION is named with `?region=…`. Credentials follow the rules of the AWS SDK.',
  }),
  awsRegion: parsed<string | null>('AWS_REGION', 'region', parseRegion, {
    group: 'AWS',
    fallback: null,
    shownDefault: 'AWS_DEFAULT_REGION, else us-east-1',
    text: "The gateway's own region. The first endpoint is made from it.",
  }),
  awsDefaultRegion: parsed<string | null>('AWS_DEFAULT_REGION', 'region', parseRegion, {
    group: 'AWS',
    fallback: null,
    text: 'Used when AWS_REGION is unset.',
  }),
  awsBearerTokenBedrock: parsed<Secret | null>('AWS_BEARER_TOKEN_BEDROCK', 'secret', secret, {
    group: 'AWS',
    fallback: null,
    text: 'Bedrock API key, for endpoints without a `role_arn` only. Other AWS credentials follow the rules of the AWS SDK.',
  }),
  awsEndpointUrl: url('AWS_ENDPOINT_URL', {
    group: 'AWS',
    fallback: null,
    text: 'Address of every AWS service, for tests and private endpoints.',
  }),
  awsEndpointUrlBedrockRuntime: url('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', {
    group: 'AWS',
    fallback: null,
    text: 'Address of Bedrock inference.',
  }),
  awsEndpointUrlBedrock: url('AWS_ENDPOINT_URL_BEDROCK', {
    group: 'AWS',
    fallback: null,
    text: 'Address of the Bedrock control plane.',
  }),
  awsEndpointUrlServiceQuotas: url('AWS_ENDPOINT_URL_SERVICE_QUOTAS', {
    group: 'AWS',
    fallback: null,
    text: 'Address of Service Quotas.',
  }),
  awsEndpointUrlPricing: url('AWS_ENDPOINT_URL_PRICING', {
    group: 'AWS',
    fallback: null,
    text: 'Address under which the bulk price list is read when PRICE_LIST_URL is unset.',
  }),
  awsEndpointUrlSts: url('AWS_ENDPOINT_URL_STS', {
    group: 'AWS',
    fallback: null,
    text: 'Address of the Security Token Service, which endpoints with a `role_arn` need. Read by the AWS SDK itself.',
  }),
  awsEndpointUrlS3: url('AWS_ENDPOINT_URL_S3', {
    group: 'AWS',
    fallback: null,
    text: 'Address of S3 or of a service that speaks its protocol, for the warehouse. Read by the AWS SDK itself. The bucket is in the path then.',
  }),
  awsEndpointUrlSns: url('AWS_ENDPOINT_URL_SNS', {
    group: 'AWS',
    fallback: null,
    text: 'Address of SNS, for notifications to a topic. Read by the AWS SDK itself.',
  }),
  awsEndpointUrlEventbridge: url('AWS_ENDPOINT_URL_EVENTBRIDGE', {
    group: 'AWS',
    fallback: null,
    text: 'Address of EventBridge, for notifications to an event bus. Read by the AWS SDK itself.',
  }),
} as const

function parseDatabaseUrl(raw: string): Secret {
  if (/^embedded:.+/.test(raw)) return new Secret(raw)
  if (!/^postgres(ql)?:\/\//.test(raw) || !URL.canParse(raw))
    throw new Error('must begin with postgres:// or postgresql://, or be embedded:<directory>')
  return new Secret(raw)
}
