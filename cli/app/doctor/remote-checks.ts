/** Looks at a running gateway from outside, with the rights of whoever asks. */

import { connect as connectTls } from 'node:tls'
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Client } from '../../client/http-client.ts'
import { readAll } from '../../client/pages.ts'
import { followProxy, proxyNames } from '../../client/proxy.ts'
import { hasOwnProfiles } from '../../modules/endpoints/endpoint-permissions.ts'
import type { Row } from '../../output/render.ts'
import { isLoopback } from '../../profile/connection.ts'
import { CliError } from '../../terminal/cli-error.ts'
import {
  clockFinding,
  type EndpointWarningRow,
  type Finding,
  fail,
  pass,
  permissionFinding,
  skip,
  warn,
  warningFinding,
} from './finding.ts'

export interface RemoteQuestion {
  readonly client: Client
  readonly url: string
  readonly version: string
  readonly isSignedIn: boolean
  readonly signal: AbortSignal
}

const DAY_MS = 86_400_000
const CERTIFICATE_WARNING_DAYS = 21
const TLS_TIMEOUT_MS = 5_000

/** A gateway that cannot be reached ends the questions; everything else is asked although something failed before. */
export async function* remoteChecks(question: RemoteQuestion): AsyncGenerator<Finding> {
  await followProxy()
  const reached = await reach(question)
  yield* reached.findings
  if (!reached.isReached) return
  yield await certificate(question)
  yield await publicAddress(question)
  if (!question.isSignedIn) {
    yield skip('sign-in', 'not signed in: what only administrators may see was not checked; causeway login')
    return
  }
  const who = await settled(() => question.client.get('/auth/me'))
  if (who.kind === 'failed') {
    yield fail('sign-in', `the token is refused: ${who.message}`, `causeway login ${question.url}`)
    return
  }
  if (who.value.role !== 'admin') {
    yield pass('sign-in', `signed in as ${who.value.user?.subject ?? who.value.key?.name}`)
    yield skip('administration', 'what only administrators may see was not checked')
    return
  }
  yield pass('sign-in', `signed in as administrator ${who.value.user?.subject}`)
  for (const check of [statusCheck, endpointChecks, idpChecks, priceCheck, notificationCheck])
    yield* await guarded(check, question)
}

async function guarded(
  check: (question: RemoteQuestion) => Promise<readonly Finding[]>,
  question: RemoteQuestion,
): Promise<readonly Finding[]> {
  try {
    return await check(question)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const id = check.name.replace(/Checks?$/, '')
    if (error.parts.exit === 'notFound') return [skip(id, 'this gateway has no such route')]
    if (error.parts.code === 'database_required') return [skip(id, 'the gateway runs without a database')]
    return [fail(id, error.message, error.parts.next ?? 'look at the log of the gateway')]
  }
}

async function reach({
  url,
  version,
  signal,
}: RemoteQuestion): Promise<{ readonly isReached: boolean; readonly findings: readonly Finding[] }> {
  const startedMs = performance.now()
  const askedMs = Date.now()
  const response = await settled(() =>
    fetch(`${url}/health`, { redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) }),
  )
  if (response.kind === 'failed')
    return {
      isReached: false,
      findings: [
        fail(
          'reach',
          `${url} cannot be reached: ${response.message}`,
          'check the address, the network, the certificate and whether the gateway runs',
        ),
      ],
    }
  const { status, headers } = response.value
  if (status >= 300 && status < 400)
    return {
      isReached: false,
      findings: [
        fail(
          'reach',
          `${url} answers with a redirect to ${headers.get('location')}`,
          'use that address; tokens never follow redirects',
        ),
      ],
    }
  const body = await settled<Row>(() => response.value.json())
  if (body.kind === 'failed' || body.value?.status !== 'ok')
    return {
      isReached: false,
      findings: [
        fail(
          'reach',
          `${url} does not answer like a gateway (status ${status})`,
          'check the address and the proxy in front',
        ),
      ],
    }
  const ready = await settled(() => fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) }))
  const date = headers.get('date')
  const middleMs = (askedMs + Date.now()) / 2
  return {
    isReached: true,
    findings: [
      pass('reach', `${url} answers in ${Math.round(performance.now() - startedMs)} ms`),
      ready.kind === 'done' && ready.value.ok
        ? pass('ready', 'the gateway is ready')
        : fail(
            'ready',
            'the gateway is not ready',
            'it waits for its database, or it is going down; its log says which',
          ),
      body.value.version === version
        ? pass('version', `both are ${version}`)
        : warn(
            'version',
            `the gateway is ${body.value.version}, this command ${version}`,
            'use the same version of both',
          ),
      ...(date === null ? [] : [clockFinding('clock.gateway', Date.parse(date) + 500 - middleMs, 'the gateway')]),
    ],
  }
}

async function certificate({ url }: RemoteQuestion): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'http:')
    return isLoopback(hostname)
      ? skip('tls', 'http on this machine needs none')
      : fail('tls', 'tokens travel over an open line', 'put TLS in front, or set TLS_CERT and TLS_KEY')
  if (proxyNames.length > 0 && !isLoopback(hostname))
    return skip('tls', `when the certificate expires was not checked: calls go through the proxy in ${proxyNames[0]}`)
  const found = await settled(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = connectTls(
          { host: hostname, port: Number(port || 443), servername: hostname, timeout: TLS_TIMEOUT_MS },
          () => {
            resolve(socket.getPeerCertificate().valid_to)
            socket.destroy()
          },
        )
        socket.on('error', reject)
        socket.on('timeout', () => socket.destroy(new Error('no answer')))
      }),
  )
  if (found.kind === 'failed')
    return fail(
      'tls',
      `the certificate is not accepted: ${found.message}`,
      'install a certificate that this machine trusts, or name its authority in NODE_EXTRA_CA_CERTS',
    )
  const days = Math.floor((Date.parse(found.value) - Date.now()) / DAY_MS)
  return days < CERTIFICATE_WARNING_DAYS
    ? warn('tls', `the certificate ends in ${days} days`, 'renew it')
    : pass('tls', `the certificate is good for ${days} days`)
}

/** Sign-ins end at `{base}/portal`, so the gateway must know the address that people use. */
async function publicAddress({ client, url }: RemoteQuestion): Promise<Finding> {
  const script = await settled(async () => (await client.open('/auth/setup/token-script')).text())
  if (script.kind === 'failed')
    return warn('public-url', `the gateway cannot tell its own address: ${script.message}`, 'set PUBLIC_URL')
  const own = /^GATEWAY='([^']+)'/m.exec(script.value)?.[1]
  if (own === undefined) return skip('public-url', 'the gateway does not tell its own address')
  if (new URL(own).origin === new URL(url).origin)
    return pass('public-url', `the redirect URI for identity providers is ${own}/portal`)
  return warn(
    'public-url',
    `the gateway calls itself ${own}, and you reach it at ${url}`,
    `set PUBLIC_URL to the address that people use, and register its /portal as redirect URI`,
  )
}

async function statusCheck({ client }: RemoteQuestion): Promise<readonly Finding[]> {
  const { listTroubles } = await import('../../modules/operations/status.ts')
  const document = await client.get('/admin/status')
  const troubles = listTroubles(document).filter((text) => !text.startsWith('unhealthy'))
  return [
    troubles.length === 0
      ? pass('status', 'database and loops are well')
      : fail('status', troubles.join('; '), 'causeway status --watch'),
    ...unpricedFindings(document.unpriced_models),
  ]
}

/** The gateway also lists models that have got their price since. */
export function unpricedFindings(models: readonly Row[]): readonly Finding[] {
  const unpriced = models.filter((one) => one.has_price !== true)
  const used = unpriced.filter((one) => one.requests > 0)
  const idle = unpriced.filter((one) => !used.includes(one))
  const [first] = [...used, ...idle]
  if (first === undefined) return []
  const named = (words: string, rows: readonly Row[]): readonly string[] =>
    rows.length === 0 ? [] : [`${words}: ${rows.map((one) => one.model).join(', ')}`]
  const details = [
    ...named('models without a price are in use, at an estimated cost', used),
    ...named('without a price, not called in 30 days', idle),
  ]
  // A name whose mapping is gone has no hosted model to set a price for.
  const priced = first.hosted_model_id ?? '<hosted model>'
  return [warn('unpriced', details.join('; '), `causeway prices set ${priced} --input-usd … --output-usd …`)]
}

async function endpointChecks({ client }: RemoteQuestion): Promise<readonly Finding[]> {
  const endpoints = (await readAll(client, '/admin/endpoints')).filter((endpoint) => endpoint.enabled)
  if (endpoints.length === 0)
    return [fail('endpoints', 'no endpoint is enabled', 'causeway endpoints create, or enable one')]
  const found = await Promise.all(
    endpoints.map((endpoint) => settled(() => client.send('POST', `/admin/endpoints/${endpoint.id}/check`, {}))),
  )
  return endpoints.flatMap((endpoint, index): readonly Finding[] => {
    const check = found[index]
    if (check === undefined || check.kind === 'failed')
      return [fail(`endpoint.${endpoint.name}`, `${endpoint.name}: ${check?.message}`, 'try again')]
    // A gateway before 1.10 sends no warnings.
    const { health_status, health_reason, available_models, permissions, warnings = [] } = check.value
    const checked = { name: endpoint.name, hasOwnProfiles: hasOwnProfiles(endpoint) }
    return [
      health_status === 'healthy'
        ? pass(`endpoint.${endpoint.name}.health`, `${endpoint.name}: healthy, ${available_models.length} models`)
        : fail(
            `endpoint.${endpoint.name}.health`,
            `${endpoint.name}: ${health_status}${health_reason === null ? '' : `: ${health_reason}`}`,
            'correct what the reason names; it is checked again every minute',
          ),
      ...warnings.map((row: EndpointWarningRow) => warningFinding(endpoint.name, row)),
      ...permissions.map((row: Row) => permissionFinding(checked, row)),
    ]
  })
}

async function idpChecks({ client }: RemoteQuestion): Promise<readonly Finding[]> {
  const idps = (await readAll(client, '/admin/idps')).filter((idp) => idp.enabled)
  if (idps.length === 0) return [skip('idps', 'there is no identity provider')]
  return Promise.all(
    idps.map(async ({ name, issuer_url, audience, jwks_url }) => {
      const body = defined({ issuer_url, audience, jwks_url: jwks_url ?? undefined })
      const { success, discovery, signing_keys } = await client.send('POST', '/admin/idps/test', body)
      if (success) return pass(`idp.${name}`, `${name}: discovery and signing keys are fine`)
      const message = [discovery, signing_keys]
        .filter((part) => !part.ok)
        .map((part) => part.message)
        .join('; ')
      return fail(
        `idp.${name}`,
        `${name}: ${message}`,
        'check the issuer, and EGRESS_ALLOW when it lies in a private network',
      )
    }),
  )
}

const OLD_PRICES_DAYS = 3

async function priceCheck({ client }: RemoteQuestion): Promise<readonly Finding[]> {
  const prices = await readAll(client, '/admin/pricing')
  const listed = prices.filter((price) => price.source === 'price_list').length
  return [priceFinding(listed, await client.get('/admin/status'), Date.now())]
}

/** By when the list was read: a price that has not changed for a year is as good as new. */
export function priceFinding(listed: number, { instances, loops, prices_refreshed_at }: Row, nowMs: number): Finding {
  if (listed === 0)
    return warn(
      'prices',
      'the price list was never read; built-in prices count',
      'allow the way to the price list, then causeway prices refresh',
    )
  const daysSince = (time: string): number => Math.floor((nowMs - Date.parse(time)) / DAY_MS)
  const refresh = loops.find((loop: Row) => loop.name === 'price-refresh')
  const isRefreshed = refresh !== undefined
  // Whoever wants the list more rarely has not missed it before two of these intervals.
  const oldAfterDays = Math.max(OLD_PRICES_DAYS, (2_000 * (refresh?.interval_seconds ?? 0)) / DAY_MS)
  const startedAt = instances.find((one: Row) => one.is_self).started_at
  const days = daysSince(prices_refreshed_at ?? startedAt)
  // An older gateway does not tell it.
  if (isRefreshed && prices_refreshed_at !== undefined && days > oldAfterDays)
    return warn(
      'prices',
      prices_refreshed_at === null
        ? `the price list was not read since the gateway was started ${days} days ago`
        : `the price list was last read ${days} days ago`,
      'causeway prices refresh',
    )
  return pass('prices', `${listed} prices come from the price list${isRefreshed ? '' : '; its refresh is off'}`)
}

async function notificationCheck({ client }: RemoteQuestion): Promise<readonly Finding[]> {
  const { active, env_fallback, history } = await client.get('/admin/notifications/config')
  if (active === null && env_fallback === null) return [skip('notifications', 'no destination is set')]
  const [last] = history
  return [
    last?.status === 'failed'
      ? warn(
          'notifications',
          `the last event was not delivered: ${last.error ?? last.response_status}`,
          'causeway notifications deliveries',
        )
      : pass('notifications', 'events have a destination'),
  ]
}

type Settled<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'failed'; readonly message: string }

async function settled<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'done', value: await work() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) }
  }
}
