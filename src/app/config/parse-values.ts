/** What the texts of environment variables mean. Each throws one line that goes on after the name of its variable. */
import { isIP } from 'node:net'
import { regionPattern } from '../../foundation/domain/endpoint.ts'
import { findDestination, findDestinationArn } from '../../foundation/domain/notification-destination.ts'
import { hasInvisible, MAX_SUBJECT_LENGTH } from '../../foundation/domain/user.ts'
import { findAddressRange } from '../../foundation/platform/address-range.ts'
import { parseEgressAllow } from '../../foundation/platform/egress-guard.ts'
import { Secret } from '../../foundation/platform/secret.ts'

export const secret = (raw: string): Secret => new Secret(raw)

const commaList = (raw: string): readonly string[] =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const addressRanges = (raw: string): readonly string[] => {
  const ranges = commaList(raw)
  const wrong = ranges.filter((range) => findAddressRange(range) === undefined)
  if (wrong.length > 0) throw new Error(`must hold addresses or CIDR ranges, which these are not: ${wrong.join(', ')}`)
  return ranges
}

export const egressEntries = (raw: string): readonly string[] => {
  // Kept as it is written: what the guard makes of it cannot be shown as JSON.
  parseEgressAllow(raw)
  return commaList(raw)
}

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof levels)[number]

/** `RUST_LOG` may hold `target=level` pairs, which have no meaning here: the plain level counts, else `info`. */
export function parseLogLevel(raw: string): LogLevel {
  const parts = commaList(raw.toLowerCase())
  const plain = parts.find((part) => !part.includes('='))
  if (
    plain === undefined &&
    parts.length > 0 &&
    parts.every((part) => levels.some((level) => part.endsWith(`=${level}`)))
  )
    return 'info'
  const found = levels.find((level) => level === plain)
  if (found === undefined) throw new Error(`must name one of ${levels.join(', ')}, alone or with target=level pairs`)
  return found
}

export function parseOrigin(raw: string): string {
  if (!URL.canParse(raw)) throw new Error('must be an origin such as https://gateway.example.com')
  const parsedUrl = new URL(raw)
  const bare =
    parsedUrl.pathname === '/' && parsedUrl.search === '' && parsedUrl.hash === '' && parsedUrl.username === ''
  if (!/^https?:$/.test(parsedUrl.protocol) || !bare)
    throw new Error('must be an origin such as https://gateway.example.com, without a path')
  return parsedUrl.origin
}

export function parseSecretKey(raw: string): Secret {
  if (raw.length < 32) throw new Error('must have at least 32 characters')
  return new Secret(raw)
}

export function notificationTarget(raw: string): string {
  if (findDestinationArn(findDestination(raw)) !== undefined) return raw
  if (URL.canParse(raw) && new URL(raw).protocol === 'https:') return raw
  throw new Error('must be an https URL or the ARN of a topic or an event bus')
}

/** An address with a scheme or a port behind it would only be found out by a look-up that never succeeds. */
export function parseHost(raw: string): string {
  if (isIP(raw) !== 0 || /^[^\s/:@[\]]+$/.test(raw)) return raw
  throw new Error('must be a host name or an address, without a scheme or a port')
}

/** Postgres may also be reached by the directory of its socket. */
export const parseDatabaseHost = (raw: string): string => (raw.startsWith('/') ? raw : parseHost(raw))

export function parseRegion(raw: string): string {
  if (regionPattern.test(raw)) return raw
  throw new Error('must be a region such as us-east-1')
}

/** Found here and not by the database, which would end a start that listens already. */
export function within(maxLength: number): (raw: string) => string {
  return (raw) => {
    if ([...raw].length <= maxLength) return raw
    throw new Error(`must have at most ${maxLength} characters`)
  }
}

export const subjects = (raw: string): readonly string[] => {
  const names = commaList(raw)
  if (names.some((name) => name.length > MAX_SUBJECT_LENGTH || hasInvisible(name)))
    throw new Error(`must hold names of at most ${MAX_SUBJECT_LENGTH} characters, none of them invisible`)
  return names
}

export function parseIssuer(raw: string): string {
  if (!URL.canParse(raw) || !/^https?:$/.test(new URL(raw).protocol) || /[?#]/.test(raw))
    throw new Error('must be an http or https URL without a query or a fragment')
  return raw
}

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** A folder is absolute: what is relative to the working directory would be elsewhere after the next start. */
export function warehouseUrl(raw: string): string {
  if (raw.startsWith('s3:')) return parseBucketUrl(raw)
  const isFolder = raw.startsWith('/') || (raw.startsWith('file:///') && URL.canParse(raw))
  if (!isFolder)
    throw new Error(
      'must be s3://bucket/prefix, or an absolute folder such as /data/warehouse or file:///data/warehouse',
    )
  return raw
}

function parseBucketUrl(raw: string): string {
  const url = URL.canParse(raw) && raw.startsWith('s3://') ? new URL(raw) : undefined
  if (url === undefined || !bucketName.test(url.hostname) || url.host !== url.hostname || url.username !== '')
    throw new Error('must name a bucket, such as s3://bucket/prefix')
  const others = [...url.searchParams.keys()].filter((name) => name !== 'region')
  if (others.length > 0 || url.hash !== '') throw new Error('may have the parameter region and nothing else')
  const region = url.searchParams.get('region')
  if (region !== null && !regionPattern.test(region)) throw new Error('must have a region such as us-east-1')
  return raw
}
