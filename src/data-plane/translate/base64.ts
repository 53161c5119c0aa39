/** Decodes base64 from one buffer straight into another: `Buffer` can only do it through a string for each event. */

const INVALID = 0xff
const values = new Uint8Array(256).fill(INVALID)
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[c.charCodeAt(0)] = value
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
    const a = values[source[i] as number] as number
    const b = values[source[i + 1] as number] as number
    const c = values[source[i + 2] as number] as number
    const d = values[source[i + 3] as number] as number
    seen |= a | b | c | d
    const three = (a << 18) | (b << 12) | (c << 6) | d
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
    const a = values[source[groupsEnd] as number] as number
    const b = values[source[groupsEnd + 1] as number] as number
    const c = rest === 3 ? (values[source[groupsEnd + 2] as number] as number) : 0
    seen |= a | b | c
    target[out++] = (a << 2) | (b >> 4)
    if (rest === 3) target[out++] = (b << 4) | (c >> 2)
    controls = 1
  }
  if (seen > 0x3f) return -1
  if (controls !== 0) breaksToSpaces(target, at, out)
  return out - at
}

export function breaksToSpaces(target: Buffer, start: number, end: number): void {
  for (let i = start; i < end; i++) if (target[i] === 0x0a || target[i] === 0x0d) target[i] = 0x20
}
