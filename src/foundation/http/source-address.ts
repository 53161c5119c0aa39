/**
 * Decides which address a call comes from when load balancers stand in front.
 * A few lines around Node's `BlockList`; a dependency would be larger.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { addRange, findAddressRange } from '../platform/address-range.ts'

export type SourceAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * The nearest address that is not a trusted proxy, read from the right: whatever stands further left was written by
 * somebody whom nobody vouches for, and must neither escape a login throttle nor blame another.
 */
export function createSourceAddress(trustedProxies: readonly string[]): SourceAddress {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const trusted = buildBlockList(trustedProxies)
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? ''
    const claimed = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    for (const entry of claimed.reverse()) {
      if (!isTrusted(address, trusted)) return address
      const next = withoutPort(entry.trim())
      if (isIP(next) === 0) return address
      address = next
    }
    return address
  }
}

/** Some load balancers write `address:port`, with brackets around IPv6. */
function withoutPort(entry: string): string {
  return /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::\d+)?$/i.exec(entry)?.slice(1).find(Boolean) ?? entry
}

function buildBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges.map(findAddressRange)) if (range !== undefined) addRange(list, range)
  return list
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const version = isIP(address)
  // A BlockList compares IPv4 addresses that are written as IPv6 with its IPv4 entries by itself.
  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
}
