/** Knows the most frequent stream events by their first bytes. Most events are these, and none of them needs to be parsed. */

export type FrequentKind = 'content_block_delta' | 'content_block_stop' | 'ping'

const openings: readonly (readonly [FrequentKind, Buffer])[] = [
  ['content_block_delta', Buffer.from('{"type":"content_block_delta",')],
  ['content_block_stop', Buffer.from('{"type":"content_block_stop","')],
  ['ping', Buffer.from('{"type":"ping"}')],
]

/** Undefined for every other event and for these in another key order: those are parsed. */
export function findFrequentKind(json: Buffer): FrequentKind | undefined {
  return openings.find(([, opening]) => json.subarray(0, opening.length).equals(opening))?.[0]
}
