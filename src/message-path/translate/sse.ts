/**
 * Gathers server-sent events until the caller writes them out.
 * A few lines; they put all events of one read into one buffer, so that each read needs only one write.
 */

const eventEnd = Buffer.from('\n\n')

export class SseBuffer {
  /** Empty between reads, so that an idle stream holds no memory. */
  #pieces: Buffer[] = []

  /** The data becomes one line in place: the caller owns it and no longer needs it. */
  append(head: Buffer, data: Buffer): void {
    breaksToSpaces(data)
    this.#pieces.push(head, data, eventEnd)
  }

  /** What was gathered since the last time; the caller owns it. */
  take(): Buffer | undefined {
    if (this.#pieces.length === 0) return undefined
    // Not from Node's pool: what waits for a slow reader would keep its whole block of 64 KiB in memory.
    const gathered = Buffer.allocUnsafeSlow(this.#pieces.reduce((sum, { length }) => sum + length, 0))
    let used = 0
    for (const piece of this.#pieces) used += piece.copy(gathered, used)
    this.#pieces = []
    return gathered
  }
}

/** Between JSON tokens line breaks mean nothing, and inside a server-sent event they would end its line. */
function breaksToSpaces(data: Buffer): void {
  for (let i = 0; i < data.length; i++) if (data[i] === 0x0a || data[i] === 0x0d) data[i] = 0x20
}

/** Undefined when it is not base64: `Buffer` leaves out the characters that it does not know. */
export function decodeBase64(bytes: Buffer, start: number, end: number): Buffer | undefined {
  const text = bytes.toString('latin1', start, end)
  const decoded = Buffer.from(text, 'base64')
  return decoded.length === Buffer.byteLength(text, 'base64') ? decoded : undefined
}

/** Only plain characters: a type with a line break in it must not be able to write lines of its own. */
export function eventHead(type: string): Buffer {
  const name = type.replace(/[^\w.-]/g, '').slice(0, 64) || 'unknown'
  return Buffer.from(`event: ${name}\ndata: `)
}
