/** What is between the gateway and everybody else: clients, the database, those who read its metrics, inner hosts. */
import { attention, bad, good, type Posture, type Rule, unknown, type Verdict } from './check.ts'

const DAY_MS = 86_400_000
const CERTIFICATE_DAYS = 21
/** Wider ranges hold more than the hosts that somebody had in mind. */
const NARROW_BITS = { ipv4: 24, ipv6: 64 } as const

/** With TLS_CERT; a certificate that the gateway made for itself convinces nobody on another machine. */
function endsTlsHere({ facts }: Posture): boolean {
  const { hasCertificate, certificateExpiresAtMs } = facts.listening()
  return hasCertificate && certificateExpiresAtMs !== null
}

/** Somebody has said that others reach it, whatever it listens to itself. */
function isPublished({ knownUrl }: Posture): boolean {
  return knownUrl !== undefined && !/^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(knownUrl)
}

function judgeTls(posture: Posture): Verdict {
  const { facts, knownUrl, nowMs } = posture
  const { host, isLoopbackOnly, hasCertificate, certificateExpiresAtMs } = facts.listening()
  if (hasCertificate && certificateExpiresAtMs === null)
    return attention(
      'TLS_CERT is set, but the HTTPS port is not open.',
      'Look for the reason in the log: TLS_PORT may be 0, in use, or one that this user may not open.',
    )
  if (hasCertificate && certificateExpiresAtMs !== null && certificateExpiresAtMs - nowMs < CERTIFICATE_DAYS * DAY_MS)
    return judgeOldCertificate(certificateExpiresAtMs, nowMs)
  if (knownUrl !== undefined && isPublished(posture)) {
    const where = endsTlsHere(posture) ? 'TLS_CERT is served here.' : 'What stands in front of the gateway ends TLS.'
    return knownUrl.startsWith('https:')
      ? good(`Everybody is sent to ${knownUrl}. ${where}`)
      : bad(
          `Everybody is sent to ${knownUrl}, which is not encrypted.`,
          'End TLS at a load balancer or set TLS_CERT and TLS_KEY, then set PUBLIC_URL to the https address.',
        )
  }
  if (isLoopbackOnly) return good(`The gateway listens to this machine only (${host}).`)
  if (endsTlsHere(posture))
    return attention(
      'TLS_CERT is served here, and the plain port beside it; PUBLIC_URL does not say which of them people use.',
      'Set PUBLIC_URL to the https address, so that links, redirects and scripts lead there.',
    )
  return unknown(
    `The gateway listens on ${host} without TLS, and PUBLIC_URL is not set: whether something in front of it ends TLS cannot be known.`,
    'Set PUBLIC_URL to the https address that people use. Without anything in front set TLS_CERT and TLS_KEY too.',
  )
}

function judgeOldCertificate(expiresAtMs: number, nowMs: number): Verdict {
  const day = new Date(expiresAtMs).toISOString().slice(0, 10)
  const fix = 'Put a new certificate at TLS_CERT and its key at TLS_KEY, and restart.'
  return expiresAtMs <= nowMs
    ? bad(`The certificate of TLS_CERT ended on ${day}.`, fix)
    : attention(`The certificate of TLS_CERT ends on ${day}.`, fix)
}

function judgeClientAddresses(posture: Posture): Verdict {
  const { trustedProxies, listening } = posture.facts
  const everywhere = trustedProxies.filter((range) => range.endsWith('/0'))
  if (everywhere.length > 0)
    return bad(
      `TRUSTED_PROXIES holds ${everywhere.join(', ')}: every caller may claim any address.`,
      'Name the addresses of your load balancers alone in TRUSTED_PROXIES.',
    )
  if (trustedProxies.length > 0) return good(`TRUSTED_PROXIES names ${trustedProxies.join(', ')}.`)
  if (endsTlsHere(posture) || (listening().isLoopbackOnly && !isPublished(posture)))
    return good('Nothing is known to stand in front of the gateway: the address of the connection counts.')
  if (isPublished(posture))
    return attention(
      'TRUSTED_PROXIES is not set although something stands in front of the gateway: every caller seems to come from there.',
      'Name the addresses of your load balancers in TRUSTED_PROXIES.',
    )
  return unknown(
    'TRUSTED_PROXIES is not set. Whether something stands in front of the gateway cannot be known without PUBLIC_URL.',
    'Behind a load balancer name its addresses in TRUSTED_PROXIES; set PUBLIC_URL in either case.',
  )
}

function judgeDatabase({ facts }: Posture): Verdict {
  const { database } = facts
  if (database.kind === 'none') return good('The gateway runs without a database.')
  if (database.kind === 'embedded') return good('The database is a process of the gateway itself, on this machine.')
  if (database.isLocal) return good(`The database is on this machine (${database.host}).`)
  const fix =
    database.modeVariable === 'DATABASE_URL'
      ? 'Add sslmode=verify-full, and sslrootcert=<file> for an authority of your own, to DATABASE_URL, and restart.'
      : 'Set DATABASE_SSLMODE to verify-full and DATABASE_SSLROOTCERT to the file of its authority, and restart.'
  switch (facts.databaseTransport()) {
    case undefined:
      return unknown(`${database.host} was not reached since the start.`, fix)
    case 'plain':
      return bad(`Connections to ${database.host} are not encrypted.`, fix)
    case 'unverified':
      return attention(
        `Connections to ${database.host} are encrypted, but whoever answers there is believed to be the database.`,
        fix,
      )
    case 'verified':
      return good(`Connections to ${database.host} are encrypted, and its certificate is verified.`)
  }
}

function judgeMetrics(posture: Posture): Verdict {
  if (posture.facts.isMetricsGuarded) return good('/metrics wants METRICS_TOKEN.')
  if (posture.facts.listening().isLoopbackOnly && !isPublished(posture))
    return good('/metrics is open, to this machine alone.')
  return attention(
    '/metrics is open to everybody who reaches the gateway.',
    'Set METRICS_TOKEN and give it to what reads the metrics, or keep /metrics inside at the load balancer.',
  )
}

function judgeInnerHosts({ facts }: Posture): Verdict {
  const { egressAllow, searchEgressAllow } = facts
  if (searchEgressAllow.length > 0)
    return attention(
      `SEARCH_EGRESS_ALLOW lets every person lead searches to ${searchEgressAllow.join(', ')}.`,
      'Keep SEARCH_EGRESS_ALLOW empty, and offer an inner search service to everybody by websearch_mode global instead.',
    )
  const wide = egressAllow.filter(isWide)
  if (wide.length > 0)
    return attention(
      `EGRESS_ALLOW opens whole networks to the addresses that administrators set: ${wide.join(', ')}.`,
      'Name single hosts in EGRESS_ALLOW.',
    )
  if (egressAllow.length > 0) return good(`EGRESS_ALLOW names ${egressAllow.join(', ')}, and nothing else inside.`)
  return good('No address inside your network can be called: EGRESS_ALLOW and SEARCH_EGRESS_ALLOW are empty.')
}

function isWide(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  return bits !== undefined && Number(bits) < (address.includes(':') ? NARROW_BITS.ipv6 : NARROW_BITS.ipv4)
}

export const networkRules: readonly Rule[] = [
  {
    id: 'tls',
    title: 'TLS towards people and clients',
    why: 'Keys, sessions and prompts can be read on the way when they are not encrypted.',
    settings: ['PUBLIC_URL', 'TLS_CERT', 'TLS_KEY'],
    judge: judgeTls,
  },
  {
    id: 'client_addresses',
    title: 'Addresses of callers',
    why: 'Guesses of the password are slowed by address, and the audit trail names one: it must be the caller’s own.',
    settings: ['TRUSTED_PROXIES'],
    judge: judgeClientAddresses,
  },
  {
    id: 'database_tls',
    title: 'TLS towards the database',
    why: 'Names, spend and the audit trail travel there, and the password or token of the database.',
    settings: ['DATABASE_URL', 'DATABASE_SSLMODE', 'DATABASE_SSLROOTCERT'],
    judge: judgeDatabase,
  },
  {
    id: 'metrics',
    title: 'Metrics',
    why: 'They name endpoints, models and teams, and how much each of them is used.',
    settings: ['METRICS_TOKEN'],
    judge: judgeMetrics,
  },
  {
    id: 'inner_hosts',
    title: 'Calls to inner hosts',
    why: 'Addresses of webhooks, identity providers and search services are typed in by people: they must not lead to hosts that trust their network.',
    settings: ['EGRESS_ALLOW', 'SEARCH_EGRESS_ALLOW'],
    judge: judgeInnerHosts,
  },
]
