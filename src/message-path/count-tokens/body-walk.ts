/**
 * Steps through the members and elements of JSON in place. Meant for bodies that were checked before: nonsense only
 * ends the walk.
 * Our own, because it reads the bytes of the body and builds no values.
 */
import type { Scan } from './text-units.ts'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Strings are mostly short: up to here a loop is cheaper than a native search. */
const SHORT_STRING_BYTES = 24

export type JsonToken = 'string' | 'object' | 'array' | 'close' | 'scalar' | 'end'

export function tokenAt(scan: Scan): JsonToken {
  switch (scan.bytes[scan.at]) {
    case QUOTE:
      return 'string'
    case OPEN_OBJECT:
      return 'object'
    case OPEN_ARRAY:
      return 'array'
    case CLOSE_OBJECT:
    case CLOSE_ARRAY:
      return 'close'
    case undefined:
      return 'end'
    default:
      return 'scalar'
  }
}

/** From the opening brace to behind the closing one. A visitor that does not move on leaves its value to be skipped. */
export function walkObject(scan: Scan, onMember: (key: string) => void): void {
  scan.at += 1
  skipGap(scan)
  while (tokenAt(scan) === 'string') {
    const keyStart = scan.at + 1
    skipString(scan)
    const key = scan.bytes.toString('latin1', keyStart, scan.at - 1)
    skipGap(scan)
    const valueStart = scan.at
    onMember(key)
    if (scan.at === valueStart) skipValue(scan)
    skipGap(scan)
  }
  scan.at += 1
}

export function walkArray(scan: Scan, onElement: () => void): void {
  scan.at += 1
  skipGap(scan)
  for (let token = tokenAt(scan); token !== 'close' && token !== 'end'; token = tokenAt(scan)) {
    const start = scan.at
    onElement()
    if (scan.at === start) skipValue(scan)
    skipGap(scan)
  }
  scan.at += 1
}

export function skipValue(scan: Scan): void {
  let depth = 0
  do {
    const token = tokenAt(scan)
    if (token === 'end' || (token === 'close' && depth === 0)) return
    if (token === 'string') skipString(scan)
    else if (token === 'scalar') skipScalar(scan)
    else {
      depth += token === 'close' ? -1 : 1
      scan.at += 1
    }
    if (depth > 0) skipGap(scan)
  } while (depth > 0)
}

/** From the opening quote to behind the closing one. */
export function skipString(scan: Scan): void {
  const { bytes } = scan
  const shortEnd = Math.min(scan.at + SHORT_STRING_BYTES, bytes.length)
  let at = scan.at + 1
  for (; at < shortEnd; at += 1) {
    const c = bytes[at]
    if (c === QUOTE) {
      scan.at = at + 1
      return
    }
    if (c === BACKSLASH) at += 1
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) {
      scan.at = bytes.length
      return
    }
    // Never below `at`: a backslash there may itself be the second half of an escape passed above.
    let before = quote - 1
    while (before >= at && bytes[before] === BACKSLASH) before -= 1
    at = quote + 1
    if (((quote - before) & 1) === 1) {
      scan.at = at
      return
    }
  }
}

/** Numbers and literals: up to what can follow a value, but at least one byte. */
export function skipScalar(scan: Scan): void {
  do scan.at += 1
  while (tokenAt(scan) === 'scalar' && !isGap(scan.bytes[scan.at]))
}

/** Between keys, values and brackets: white space, commas and colons alike. */
export function skipGap(scan: Scan): void {
  while (isGap(scan.bytes[scan.at])) scan.at += 1
}

function isGap(byte: number | undefined): boolean {
  return byte !== undefined && (byte <= SPACE || byte === COMMA || byte === COLON)
}
