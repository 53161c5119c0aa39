/** Looks inside one value of a document that `scanObject` has accepted: nothing is checked a second time. */
import { type JsonMember, type JsonSpan, readKey, skipSpace } from './json-spans.ts'

export type NestedMember = Omit<JsonMember, 'marks'>

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

export function isObjectAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === OPEN_OBJECT
}

export function isArrayAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === OPEN_ARRAY
}

export function isStringAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === QUOTE
}

/** Members of the object that begins at `at`; none when something else begins there. */
export function membersAt(bytes: Buffer, at: number): NestedMember[] {
  const members: NestedMember[] = []
  if (!isObjectAt(bytes, at)) return members
  let i = skipSpace(bytes, at + 1)
  while (bytes[i] === QUOTE) {
    const start = i
    const keyEnd = stringEnd(bytes, start)
    const valueStart = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1)
    const end = valueEnd(bytes, valueStart)
    members.push({ key: readKey(bytes, start, keyEnd), start, keyEnd, valueStart, end })
    i = skipSpace(bytes, end)
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1)
  }
  return members
}

/** Elements of the array that begins at `at`; none when something else begins there. */
export function elementsAt(bytes: Buffer, at: number): JsonSpan[] {
  const elements: JsonSpan[] = []
  if (!isArrayAt(bytes, at)) return elements
  let i = skipSpace(bytes, at + 1)
  while (i < bytes.length && bytes[i] !== CLOSE_ARRAY) {
    const end = valueEnd(bytes, i)
    elements.push({ start: i, end })
    i = skipSpace(bytes, end)
    if (bytes[i] === COMMA) i = skipSpace(bytes, i + 1)
  }
  return elements
}

/**
 * Where the objects of the array at `at` begin, those of arrays inside it included. In one pass: asking each inner array
 * for its elements would read the innermost ones once for every level around them.
 */
export function objectsIn(bytes: Buffer, at: number): number[] {
  const starts: number[] = []
  let depth = 0
  for (let i = at; i < bytes.length; ) {
    const c = bytes[i]
    if (c === OPEN_ARRAY) depth++
    else if (c === CLOSE_ARRAY && --depth === 0) break
    else if (c === OPEN_OBJECT) starts.push(i)
    i = c === OPEN_OBJECT || c === QUOTE ? valueEnd(bytes, i) : i + 1
  }
  return starts
}

/** The last one counts, as in `JSON.parse`. */
export function memberAt(bytes: Buffer, at: number, key: string): NestedMember | undefined {
  return membersAt(bytes, at).findLast((member) => member.key === key)
}

/** Whether some key of the document, however deep, passes the test. One pass, whatever the nesting. */
export function someKey(bytes: Buffer, passes: (key: string) => boolean): boolean {
  for (let at = bytes.indexOf(QUOTE); at >= 0; ) {
    const end = stringEnd(bytes, at)
    if (bytes[skipSpace(bytes, end)] === COLON && passes(readKey(bytes, at, end))) return true
    at = bytes.indexOf(QUOTE, end)
  }
  return false
}

/** The value of a member when it is a readable string. */
export function stringMemberAt(bytes: Buffer, at: number, key: string): string | undefined {
  const member = memberAt(bytes, at, key)
  if (member === undefined || !isStringAt(bytes, member.valueStart)) return undefined
  return readString(bytes, member.valueStart, member.end)
}

/** Undefined for a string with a bad escape: the scan lets those pass. */
export function readString(bytes: Buffer, start: number, end: number): string | undefined {
  const raw = bytes.toString('utf8', start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`)
  } catch {
    // failure-modes: bad escape in a request. The field counts as absent here; the hosted service refuses the document.
    return undefined
  }
}

function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return stringEnd(bytes, start)
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return containerEnd(bytes, start)
  let i = start
  while (i < bytes.length && !endsScalar(bytes[i] as number)) i++
  return i
}

function endsScalar(c: number): boolean {
  return c <= 0x20 || c === COMMA || c === CLOSE_OBJECT || c === CLOSE_ARRAY
}

function containerEnd(bytes: Buffer, start: number): number {
  let depth = 0
  for (let i = start; i < bytes.length; i++) {
    const c = bytes[i]
    if (c === QUOTE) i = stringEnd(bytes, i) - 1
    else if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++
    else if ((c === CLOSE_OBJECT || c === CLOSE_ARRAY) && --depth === 0) return i + 1
  }
  return bytes.length
}

function stringEnd(bytes: Buffer, start: number): number {
  const limit = Math.min(start + 40, bytes.length)
  let i = start + 1
  for (; i < limit; i++) {
    const c = bytes[i]
    if (c === QUOTE) return i + 1
    if (c === BACKSLASH) i++
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, i)
    if (quote < 0) return bytes.length
    let before = quote - 1
    while (before >= i && bytes[before] === BACKSLASH) before--
    if (((quote - before) & 1) === 1) return quote + 1
    i = quote + 1
  }
}
