/**
 * Random numbers that are the same on every machine and every run: one stream for each name.
 * A few lines; a dependency would be larger.
 */

export interface Random {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
  readonly pickWeighted: <T>(items: readonly (readonly [item: T, weight: number])[]) => T
  readonly normal: (mean: number, deviation: number) => number
  /** Long-tailed, as sizes and waits are: half of the values lie below `median`. */
  readonly longTailed: (median: number, spread: number) => number
  /** How often something happens that happens `mean` times on average. */
  readonly times: (mean: number) => number
  readonly hex: (digits: number) => string
}

export function createRandom(name: string): Random {
  const next = sfc32(name)
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const normal = (mean: number, deviation: number): number =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    between,
    normal,
    chance: (probability) => next() < probability,
    pick: (items) => items[between(0, items.length - 1)] as (typeof items)[number],
    pickWeighted: (items) => {
      let rest = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) if ((rest -= weight) < 0) return item
      return (items.at(-1) as (typeof items)[number])[0]
    },
    longTailed: (median, spread) => median * Math.exp(normal(0, spread)),
    times: (mean) => {
      const limit = Math.exp(-mean)
      let count = 0
      for (let product = next(); product > limit; product *= next()) count += 1
      return count
    },
    hex: (digits) => {
      let text = ''
      while (text.length < digits)
        text += Math.floor(next() * 0x1_0000_0000)
          .toString(16)
          .padStart(8, '0')
      return text.slice(0, digits)
    },
  }
}

const WARM_UP_ROUNDS = 15

/** Small fast counting generator, 32 bits; seeded with four hashes of the name. */
function sfc32(name: string): () => number {
  let [a, b, c, counter] = [hash(name, 1), hash(name, 2), hash(name, 3), 1]
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round++) next()
  return next
}

/** FNV-1a with a final mix, since names differ mostly in their last letters. */
function hash(text: string, salt: number): number {
  let value = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b1)
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return value ^ (value >>> 13)
}
