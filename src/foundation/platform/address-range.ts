/**
 * Reads addresses and CIDR ranges. Node's `BlockList` does all comparing.
 * A few lines; a dependency would be larger.
 */
import { type BlockList, isIPv4, isIPv6 } from 'node:net'

export type AddressFamily = 'ipv4' | 'ipv6'

export interface AddressRange {
  readonly address: string
  readonly prefixLength: number
  readonly family: AddressFamily
}

/** Undefined for names, zone ids and every short or octal spelling. */
export function findAddressFamily(text: string): AddressFamily | undefined {
  if (isIPv4(text)) return 'ipv4'
  return isIPv6(text) && !text.includes('%') ? 'ipv6' : undefined
}

/** `10.0.0.0/8`, or a single address. */
export function findAddressRange(text: string): AddressRange | undefined {
  const [address = '', lengthText, ...rest] = text.split('/')
  const family = findAddressFamily(address)
  if (family === undefined || rest.length > 0) return undefined
  const bits = family === 'ipv4' ? 32 : 128
  if (lengthText === undefined) return { address, prefixLength: bits, family }
  const prefixLength = /^\d{1,3}$/.test(lengthText) ? Number(lengthText) : Number.NaN
  return prefixLength <= bits ? { address, prefixLength, family } : undefined
}

export function addRange(list: BlockList, range: AddressRange): void {
  list.addSubnet(range.address, range.prefixLength, range.family)
}
