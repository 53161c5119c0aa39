/**
 * Decides which URLs and addresses the gateway may call on somebody's behalf. Asked twice: for the URL, and at connect
 * time.
 * Our own, because the same rules must hold for the URL and for each address that its name leads to.
 */
import { BlockList } from 'node:net'
import {
  type AddressFamily,
  type AddressRange,
  addRange,
  findAddressFamily,
  findAddressRange,
} from './address-range.ts'

/** `forbidden` stays so whatever is allow-listed: cloud credentials live there. */
export type AddressClass = 'public' | 'private' | 'forbidden'

export interface EgressAllow {
  readonly hosts: ReadonlySet<string>
  readonly ranges: AddressRanges
}

export type UrlDecision =
  | { readonly kind: 'allowed'; readonly url: URL }
  | { readonly kind: 'refused'; readonly reason: string }

/** Prefixes of IPv6 addresses whose last 32 bits are an IPv4 address: mapped, translated, compatible and NAT64. */
const carriersOfIpv4 = ['::ffff:', '::ffff:0:', '::', '64:ff9b::']

/** A list for each family: a BlockList with both finds `10.0.0.1` in `::/0`, which names no IPv4 address here. */
interface AddressRanges {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

/** An IPv4 range also holds the IPv6 addresses that carry its addresses. */
function toAddressRanges(ranges: readonly AddressRange[]): AddressRanges {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    addRange(lists[range.family], range)
    if (range.family === 'ipv4')
      for (const prefix of carriersOfIpv4) lists.ipv6.addSubnet(prefix + range.address, 96 + range.prefixLength, 'ipv6')
  }
  return lists
}

const readRanges = (texts: readonly string[]): AddressRanges =>
  toAddressRanges(texts.map(findAddressRange).filter((range) => range !== undefined))

const isInRanges = (address: string, family: AddressFamily, ranges: AddressRanges): boolean =>
  ranges[family].check(address, family)

/** Link-local, cloud metadata, unspecified, multicast and broadcast. The last seven are the IPv4 ones as 6to4 carries them. */
const forbiddenRanges = readRanges([
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
  '2002::/24',
  '2002:a9fe::/32',
  '2002:6464:64c8::/48',
  '2002:a83f:8110::/48',
  '2002:c000:c0::/48',
  '2002:e000::/20',
  '2002:ffff:ffff::/48',
])

/** Loopback, private, shared, documentation, benchmarking and reserved space. */
const privateRanges = readRanges([
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

const globalUnicast = readRanges(['2000::/3'])
const everyIpv4 = readRanges(['0.0.0.0/0'])
/** Apart from the IPv4 address 0.0.0.1 that it would carry. */
const ipv6Loopback = readRanges(['::1'])

export function classifyAddress(address: string): AddressClass {
  const family = findAddressFamily(address)
  if (family === undefined) return 'forbidden'
  const isIn = (ranges: AddressRanges): boolean => isInRanges(address, family, ranges)
  if (isIn(ipv6Loopback)) return 'private'
  if (isIn(forbiddenRanges)) return 'forbidden'
  if (isIn(privateRanges)) return 'private'
  return isIn(everyIpv4) || isIn(globalUnicast) ? 'public' : 'private'
}

/**
 * Host names, addresses and CIDR ranges, separated by commas or spaces. Throws one line that names every wrong entry and
 * completes "EGRESS_ALLOW ...".
 */
export function parseEgressAllow(text: string): EgressAllow {
  const hosts = new Set<string>()
  const ranges: AddressRange[] = []
  const wrong: string[] = []
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const range = findAddressRange(entry.replace(/^\[(.*)\]$/, '$1'))
    if (range !== undefined) ranges.push(range)
    else if (isHostName(entry)) hosts.add(toHostName(entry))
    else wrong.push(entry)
  }
  if (wrong.length > 0)
    throw new Error(`must hold host names, addresses or CIDR ranges, which these are not: ${wrong.join(', ')}`)
  return { hosts, ranges: toAddressRanges(ranges) }
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
  if (findAddressFamily(address) !== undefined && !isAddressAllowed(address, host, allow)) {
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

function isListedAddress(address: string, allow: EgressAllow): boolean {
  const family = findAddressFamily(address)
  return family !== undefined && isInRanges(address, family, allow.ranges)
}
