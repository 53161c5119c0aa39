/** Reads the inside of one checked event-stream frame: which kind of message it is, and where its event lies. */

/** The four headers that decide what a frame is; empty when absent. */
export interface FrameHeaders {
  messageType: string
  eventType: string
  exceptionType: string
  errorCode: string
  errorMessage: string
}

const stringHeader = 7

/** Undefined when the header block does not add up. */
export function readFrameHeaders(bytes: Buffer, start: number, end: number): FrameHeaders | undefined {
  const headers: FrameHeaders = { messageType: '', eventType: '', exceptionType: '', errorCode: '', errorMessage: '' }
  let position = start
  while (position < end) {
    const nameEnd = position + 1 + (bytes[position] ?? 0)
    if (nameEnd === position + 1 || nameEnd >= end) return undefined
    const type = bytes[nameEnd] ?? 0
    const valueStart = nameEnd + 1
    const next = valueEnd(bytes, type, valueStart, end)
    if (next === undefined || next > end) return undefined
    if (type === stringHeader) {
      const field = fieldOfHeader[bytes.toString('latin1', position + 1, nameEnd)]
      if (field !== undefined) headers[field] = bytes.toString('utf8', valueStart + 2, next)
    }
    position = next
  }
  return headers
}

const fieldOfHeader: Readonly<Record<string, keyof FrameHeaders>> = {
  ':message-type': 'messageType',
  ':event-type': 'eventType',
  ':exception-type': 'exceptionType',
  ':error-code': 'errorCode',
  ':error-message': 'errorMessage',
}

/** Sizes of the header types without a length: two booleans, four integers, then time stamp and UUID. */
const fixedValueBytes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }

function valueEnd(bytes: Buffer, type: number, start: number, end: number): number | undefined {
  const fixed = fixedValueBytes[type]
  if (fixed !== undefined) return start + fixed
  if ((type !== 6 && type !== stringHeader) || start + 2 > end) return undefined
  return start + 2 + bytes.readUInt16BE(start)
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const closingBrace = 0x7d
const usualStart = Buffer.from('{"bytes":"')

export const base64Offset = usualStart.length

/** End of the base64 text of a payload `{"bytes":"…",…}`, which starts at `start + base64Offset`; -1 for any other shape. */
export function findBase64End(bytes: Buffer, start: number, end: number): number {
  const textStart = start + base64Offset
  if (!bytes.subarray(start, textStart).equals(usualStart) || bytes[end - 1] !== closingBrace) return -1
  const found = bytes.indexOf(quote, textStart)
  if (found < 0 || found >= end - 1 || bytes.subarray(textStart, found).includes(backslash)) return -1
  const after = bytes[found + 1]
  return after === comma || after === closingBrace ? found : -1
}

/** The base64 text of a payload of unusual shape, such as other key order or escapes; undefined when there is none. */
export function parseBase64(payload: string): string | undefined {
  try {
    const value: unknown = JSON.parse(payload)
    if (typeof value !== 'object' || value === null) return undefined
    const text = (value as Readonly<Record<string, unknown>>)['bytes']
    return typeof text === 'string' ? text : undefined
  } catch {
    return undefined
  }
}
