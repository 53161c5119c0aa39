/** What one character outside ASCII costs, by script, measured with the public tokenizer on running text. */
import { UNITS_PER_TOKEN } from './letter-pairs.ts'

interface ScriptRange {
  readonly upTo: number
  readonly tokens: number
}

/** Ascending. Rare signs of a big script cost up to three tokens, so that the mean of running text is rounded up. */
const RANGES: readonly ScriptRange[] = [
  { upTo: 0x00bf, tokens: 1 },
  // Latin with marks: the letter itself and the word it tears apart.
  { upTo: 0x00ff, tokens: 1.5 },
  { upTo: 0x024f, tokens: 1.8 },
  { upTo: 0x036f, tokens: 1 },
  { upTo: 0x03ff, tokens: 1.35 },
  { upTo: 0x052f, tokens: 0.6 },
  // Armenian, Hebrew, Arabic and their neighbours.
  { upTo: 0x08ff, tokens: 1.1 },
  { upTo: 0x097f, tokens: 1.35 },
  { upTo: 0x0dff, tokens: 2 },
  { upTo: 0x0fff, tokens: 1.8 },
  { upTo: 0x10ff, tokens: 1.4 },
  { upTo: 0x1dff, tokens: 2.5 },
  // Letters with two marks, as in Vietnamese.
  { upTo: 0x1eff, tokens: 1.6 },
  { upTo: 0x1fff, tokens: 2 },
  { upTo: 0x218f, tokens: 1 },
  { upTo: 0x2bff, tokens: 1.4 },
  { upTo: 0x2fff, tokens: 2.5 },
  { upTo: 0x303f, tokens: 1 },
  { upTo: 0x309f, tokens: 0.9 },
  { upTo: 0x30ff, tokens: 1 },
  { upTo: 0x33ff, tokens: 2 },
  { upTo: 0x4dbf, tokens: 3 },
  { upTo: 0x9fff, tokens: 1 },
  { upTo: 0xabff, tokens: 3 },
  { upTo: 0xd7ff, tokens: 1.3 },
  // Half of a pair that was written as two escapes: emoji, mostly.
  { upTo: 0xdfff, tokens: 1.25 },
  { upTo: 0xfeff, tokens: 2 },
  // Full-width forms are read as their ASCII counterparts.
  { upTo: 0xffef, tokens: 1 },
  { upTo: 0x10ffff, tokens: 2.5 },
]

const BLOCK_BITS = 4
const BLOCKS = toBlocks()

export function scriptUnits(codePoint: number): number {
  return BLOCKS[codePoint > 0xffff ? BLOCKS.length - 1 : codePoint >> BLOCK_BITS] ?? UNITS_PER_TOKEN
}

/** Letters that continue an ASCII word: Latin with marks. */
export function isLatinLetter(codePoint: number): boolean {
  return codePoint >= 0xc0 && codePoint <= 0x24f && codePoint !== 0xd7 && codePoint !== 0xf7
}

/** Every range ends at a multiple of sixteen, so that one byte per block is enough; the last one stands for all beyond 16 bits. */
function toBlocks(): Uint16Array {
  const blocks = new Uint16Array((0x10000 >> BLOCK_BITS) + 1)
  let range = 0
  for (let block = 0; block < blocks.length; block += 1) {
    while (block << BLOCK_BITS > (RANGES[range]?.upTo ?? Number.POSITIVE_INFINITY)) range += 1
    blocks[block] = Math.round((RANGES[range]?.tokens ?? 1) * UNITS_PER_TOKEN)
  }
  return blocks
}
