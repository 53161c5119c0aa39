/** Knows the most frequent stream events by their first bytes, still in base64. */

export type FrequentKind = 'content_block_delta' | 'content_block_stop' | 'ping'

/** Whole groups of three bytes, so that their base64 does not depend on what follows. */
const openings: readonly (readonly [FrequentKind, Buffer])[] = [
  ['content_block_delta', inBase64('{"type":"content_block_delta",')],
  ['content_block_stop', inBase64('{"type":"content_block_stop","')],
  ['ping', inBase64('{"type":"ping"}')],
]

function inBase64(opening: string): Buffer {
  if (opening.length % 3 !== 0) throw new Error('an opening must be whole groups of three bytes')
  return Buffer.from(Buffer.from(opening).toString('base64'))
}

/** Undefined for every other event and for these in another key order: those are parsed. */
export function findFrequentKind(bytes: Buffer, start: number, end: number): FrequentKind | undefined {
  for (const [kind, opening] of openings) {
    if (end - start >= opening.length && startsWith(bytes, start, opening)) return kind
  }
  return undefined
}

function startsWith(bytes: Buffer, start: number, opening: Buffer): boolean {
  for (let i = opening.length - 1; i >= 0; i--) if (bytes[start + i] !== opening[i]) return false
  return true
}
