/** Decodes base64 from one buffer straight into another: `Buffer` can only do it through a string for each event. */

const INVALID = 1 << 24
/** One table for each place in a group of four, its values shifted to where they belong in the three bytes. */
const [first, second, third, fourth] = [18, 12, 6, 0].map(valuesShifted) as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
]

function valuesShifted(bits: number): Int32Array {
  const values = new Int32Array(256).fill(INVALID)
  for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
    values[c.charCodeAt(0)] = value << bits
  }
  return values
}

/**
 * Writes the decoded bytes at `target[at…]` and says how many; -1 when the text is not base64. Line breaks become
 * spaces: between JSON tokens they mean nothing, and inside a server-sent event they would end its line.
 */
export function decodeOneLine(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  let stop = end
  while (stop > start && end - stop < 2 && source[stop - 1] === 0x3d) stop--
  const groupsEnd = start + ((stop - start) & ~3)
  let seen = 0
  let controls = 0
  let out = at
  for (let i = start; i < groupsEnd; i += 4) {
    const three =
      (first[source[i] as number] as number) |
      (second[source[i + 1] as number] as number) |
      (third[source[i + 2] as number] as number) |
      (fourth[source[i + 3] as number] as number)
    seen |= three
    // High bit of each byte below 0x20, found in all three at once.
    controls |= (three - 0x202020) & ~three & 0x808080
    target[out] = three >> 16
    target[out + 1] = three >> 8
    target[out + 2] = three
    out += 3
  }
  const rest = stop - groupsEnd
  if (rest === 1) return -1
  if (rest > 1) {
    const three =
      (first[source[groupsEnd] as number] as number) |
      (second[source[groupsEnd + 1] as number] as number) |
      (rest === 3 ? (third[source[groupsEnd + 2] as number] as number) : 0)
    seen |= three
    target[out++] = three >> 16
    if (rest === 3) target[out++] = three >> 8
    // The byte that is not there counts as a harmless one: a scan for its sake would be one for most events.
    const present = rest === 3 ? three | 0x20 : three | 0x2020
    controls |= (present - 0x202020) & ~present & 0x808080
  }
  if (seen >= INVALID) return -1
  if (controls !== 0) breaksToSpaces(target, at, out)
  return out - at
}

export function breaksToSpaces(target: Buffer, start: number, end: number): void {
  for (let i = start; i < end; i++) if (target[i] === 0x0a || target[i] === 0x0d) target[i] = 0x20
}
