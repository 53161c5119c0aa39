/**
 * Money is an integer number of nano-dollars. A cache read of the cheapest model costs 10 nano-dollars a token, so
 * micro-dollars would round every small call; a safe integer still holds nine million dollars.
 */
export type NanoUsd = number

const NANO_PER_USD = 1_000_000_000

export function usdFromNano(amount: NanoUsd): number {
  return amount / NANO_PER_USD
}

export function nanoFromUsd(usd: number): NanoUsd {
  return Math.round(usd * NANO_PER_USD)
}
