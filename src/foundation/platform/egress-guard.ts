/** Decides which URLs and addresses the gateway may call on somebody's behalf. Asked twice: for the URL, and at connect time. */
import { isIPv4, isIPv6 } from 'node:net'

/** `forbidden` stays so whatever is allow-listed: cloud credentials live there. */
export type AddressClass = 'public' | 'private' | 'forbidden'

export interface EgressAllow {
  readonly hosts: ReadonlySet<string>
  readonly ranges: readonly IpRange[]
}

export type UrlDecision =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string }

const toRanges = (texts: readonly string[]): readonly IpRange[] =>
  texts.map((text) => {
    const range = findIpRange(text)
    if (range === undefined) throw new Error(`${text} is not an address range.`)
    return range
  })

/** Link-local, cloud metadata, unspecified, multicast and broadcast. */
const forbiddenRanges = toRanges([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.0/4',
  '255.255.255.255',
  '::',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32',
  'fd20:ce::254',
])

/** Loopback, private, shared, documentation, benchmarking and reserved space. */
const privateRanges = toRanges([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

const globalUnicast = toRanges(['2000::/3'])
/** The last 32 bits are an IPv4 address: mapped, translated, compatible and NAT64. */
const carriersOfIpv4 = toRanges(['::ffff:0:0/96', '::ffff:0:0:0/96', '::/96', '64:ff9b::/96'])
const sixToFour = toRanges(['2002::/16'])
const isInAny = (address: IpAddress, ranges: readonly IpRange[]): boolean =>
  ranges.some((range) => isInRange(address, range))

export function classifyAddress(text: string): AddressClass {
  const address = findIpAddress(text)
  return address === undefined ? 'forbidden' : classify(address)
}

function classify(address: IpAddress): AddressClass {
  if (isInAny(address, forbiddenRanges)) return 'forbidden'
  if (address.bits === 128) {
    const isLoopback = address.value === 1n
    if (!isLoopback && isInAny(address, carriersOfIpv4)) return classify(toIpv4(address.value))
    if (isInAny(address, sixToFour) && classify(toIpv4(address.value >> 80n)) === 'forbidden') return 'forbidden'
    if (!isInAny(address, globalUnicast)) return 'private'
  }
  return isInAny(address, privateRanges) ? 'private' : 'public'
}

/**
 * Host names, addresses and CIDR ranges, separated by commas or spaces. Throws one line that names every wrong entry and
 * completes "EGRESS_ALLOW ...".
 */
export function parseEgressAllow(text: string): EgressAllow {
  const hosts = new Set<string>()
  const ranges: IpRange[] = []
  const wrong: string[] = []
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const range = findIpRange(entry.replace(/^\[(.*)\]$/, '$1'))
    if (range !== undefined) ranges.push(range)
    else if (isHostName(entry)) hosts.add(toHostName(entry))
    else wrong.push(entry)
  }
  if (wrong.length > 0)
    throw new Error(`must hold host names, addresses or CIDR ranges, which these are not: ${wrong.join(', ')}`)
  return { hosts, ranges }
}

/** A name whose last label is a number would be read as an IPv4 address by URL parsers. */
function isHostName(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9_-]+\.)*[a-z_-][a-z0-9_-]*\.?$/i.test(text)
}

function toHostName(text: string): string {
  return text.toLowerCase().replace(/\.$/, '')
}

/** Ports of services that speak no HTTP, where a request could be taken for a command. */
const refusedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 445, 465, 512, 513, 514, 515, 526, 530,
  531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375,
  2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5433, 5672, 6000, 6379, 6432, 6566, 6665, 6666,
  6667, 6668, 6669, 6679, 6697, 9042, 9092, 9100, 10080, 10250, 11211, 27017,
])

/** Names that mean this machine or the cloud's metadata service, whatever a resolver says. */
const refusedNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

/** First moment: when a URL is entered, and before each call and each redirect. */
export function decideUrl(text: string, allow: EgressAllow): UrlDecision {
  const refused = (reason: string): UrlDecision => ({ kind: 'refused', reason })
  // Parsers disagree about these characters, and the guard must see what the connection will see.
  if (/[\s\\\p{Cc}]/u.test(text)) return refused('the URL has white space, control characters or backslashes')
  if (!URL.canParse(text)) return refused('the URL cannot be read')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('only https is possible')
  if (url.username !== '' || url.password !== '') return refused('the URL must not carry a user name or password')
  if (url.port !== '' && refusedPorts.has(Number(url.port))) return refused('this port is not for HTTP')
  const host = toHostName(url.hostname)
  const isListed = isListedHost(host, allow)
  if (refusedNames.has(host)) return refused('this host is never reachable')
  if ((host === 'localhost' || host.endsWith('.localhost')) && !isListed)
    return refused('this host is not allow-listed')
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (findIpAddress(address) !== undefined && !isAddressAllowed(address, host, allow)) {
    return refused('this address is private, link-local or otherwise not public')
  }
  if (url.protocol === 'http:' && !isListed) return refused('https is required')
  url.hash = ''
  return { kind: 'allowed', url }
}

/** Second moment: the address that a connection is about to be opened to. */
export function isAddressAllowed(address: string, host: string, allow: EgressAllow): boolean {
  const addressClass = classifyAddress(address)
  if (addressClass === 'forbidden') return false
  return addressClass === 'public' || allow.hosts.has(toHostName(host)) || isListedAddress(address, allow)
}

function isListedHost(host: string, allow: EgressAllow): boolean {
  if (allow.hosts.has(host)) return true
  const address = host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')
  return isListedAddress(address, allow)
}

/** Also finds an IPv4 entry for an address that carries it inside IPv6. */
function isListedAddress(text: string, allow: EgressAllow): boolean {
  const address = findIpAddress(text)
  if (address === undefined) return false
  if (isInAny(address, allow.ranges)) return true
  return address.bits === 128 && isInAny(address, carriersOfIpv4) && isInAny(toIpv4(address.value), allow.ranges)
}

/** A number, so that ranges are compared by value and not by how an address is written. */
export interface IpAddress {
  readonly bits: 32 | 128
  readonly value: bigint
}

export interface IpRange extends IpAddress {
  readonly prefixLength: number
}

/** Undefined for names, zone ids and every short or octal spelling. */
export function findIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { bits: 32, value: ipv4Value(text) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  return { bits: 128, value: ipv6Value(text) }
}

/** `10.0.0.0/8`, or a single address. */
function findIpRange(text: string): IpRange | undefined {
  const [addressText = '', lengthText, ...rest] = text.split('/')
  const address = findIpAddress(addressText)
  if (address === undefined || rest.length > 0) return undefined
  if (lengthText === undefined) return { ...address, prefixLength: address.bits }
  const prefixLength = /^\d{1,3}$/.test(lengthText) ? Number(lengthText) : Number.NaN
  return prefixLength <= address.bits ? { ...address, prefixLength } : undefined
}

function isInRange(address: IpAddress, range: IpRange): boolean {
  const shift = BigInt(range.bits - range.prefixLength)
  return address.bits === range.bits && address.value >> shift === range.value >> shift
}

function toIpv4(value: bigint): IpAddress {
  return { bits: 32, value: value & 0xffff_ffffn }
}

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function ipv6Value(text: string): bigint {
  const dotted = /(?<=:)[\d.]+$/.exec(text)?.[0]
  const plain = dotted?.includes('.') === true ? text.slice(0, -dotted.length) + toGroups(ipv4Value(dotted)) : text
  const [left = '', right] = plain.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...zeros, ...tail].reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
}

function toGroups(ipv4: bigint): string {
  return `${(ipv4 >> 16n).toString(16)}:${(ipv4 & 0xffffn).toString(16)}`
}
