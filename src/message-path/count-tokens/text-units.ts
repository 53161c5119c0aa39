/**
 * Prices the text of one JSON string in fractions of a token, reading its bytes in place.
 * Our own, because no string is made of a text that is only measured.
 */
import { isLatinLetter, scriptUnits } from './script-units.ts'
import {
  COLUMN_BITS,
  ESCAPED_BACKSLASH,
  ESCAPED_QUOTE,
  LINE_BREAK,
  MARKED_LETTER,
  PRICE_BITS,
  START_STATE,
  STOP,
  TEXT_STEPS,
  WIDE,
} from './text-machine.ts'

/** Where the reading stands and what it has cost so far. Shared by all steps of one estimate. */
export interface Scan {
  readonly bytes: Buffer
  at: number
  units: number
}

/**
 * `text`: an escape counts as the character it stands for. `json`: line breaks, tabs and quotes stay two characters,
 * which is how a model sees them where it is shown JSON.
 */
export type EscapeReading = 'text' | 'json'

const SPACE = 0x20
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** `\u` and four digits. */
const UNICODE_ESCAPE_BYTES = 6
const PRICE_MASK = (1 << PRICE_BITS) - 1
/** Below, a repeated character is a drawn line and costs an eighth; from here on it is writing. */
const FIRST_CJK = 0x2e80
const DRAWN_LINE_SHIFT = 3

/** Where the reading of one string stands. */
interface TextReading {
  readonly bytes: Buffer
  at: number
  state: number
  units: number
  /** The latest wide character and where it ended, to notice that it is repeated. */
  wide: number
  wideEnd: number
}

/** Starts behind the opening quote, ends behind the closing one (or at the end of a body that was cut). */
export function countString(scan: Scan, escapes: EscapeReading): void {
  const { bytes } = scan
  const text: TextReading = { bytes, at: scan.at, state: START_STATE, units: 0, wide: 0, wideEnd: -1 }
  for (;;) {
    const c = countPlain(text)
    if (c === QUOTE || c === undefined) break
    if (c !== BACKSLASH) countWide(text, peekWide(bytes, text.at), wideBytes(c))
    else if (escapes === 'text' || bytes[text.at + 1] === LETTER_U) countEscape(text)
    else countEscapeAsJson(text)
  }
  scan.at = Math.min(text.at + 1, bytes.length)
  scan.units += text.units
}

/** Runs over ASCII up to an escape, a quote or a wider character, which it returns. */
function countPlain(text: TextReading): number | undefined {
  const { bytes } = text
  const end = bytes.length
  let { at, state, units } = text
  let c: number | undefined
  for (; at < end; at += 1) {
    c = bytes[at] as number
    if (c >= 0x80) break
    const step = TEXT_STEPS[(state << COLUMN_BITS) | c] as number
    if (step === STOP) break
    units += step & PRICE_MASK
    state = step >> PRICE_BITS
  }
  text.at = at
  text.state = state
  text.units = units
  return at < end ? c : undefined
}

function take(text: TextReading, column: number): void {
  const step = TEXT_STEPS[(text.state << COLUMN_BITS) | column] as number
  text.units += step & PRICE_MASK
  text.state = step >> PRICE_BITS
}

function countEscape(text: TextReading): void {
  const letter = text.bytes[text.at + 1]
  if (letter !== LETTER_U) {
    text.at += 2
    take(text, ESCAPE_COLUMNS[letter ?? QUOTE] as number)
    return
  }
  const codePoint = Number.parseInt(text.bytes.toString('latin1', text.at + 2, text.at + 6), 16)
  if (codePoint >= 0x80) countWide(text, codePoint, UNICODE_ESCAPE_BYTES)
  else {
    text.at += UNICODE_ESCAPE_BYTES
    take(text, codePoint <= SPACE ? LINE_BREAK : findColumn(codePoint))
  }
}

function countEscapeAsJson(text: TextReading): void {
  take(text, ESCAPED_BACKSLASH)
  take(text, findColumn(text.bytes[text.at + 1]))
  text.at += 2
}

/** Whatever no escape can stand for is taken as a sign. */
function findColumn(escaped: number | undefined): number {
  if (escaped === QUOTE) return ESCAPED_QUOTE
  return escaped !== undefined && escaped > SPACE && escaped < 0x80 && escaped !== BACKSLASH
    ? escaped
    : ESCAPED_BACKSLASH
}

/** By the character behind the backslash. */
const ESCAPE_COLUMNS = new Uint8Array(256).map((_, escaped) =>
  'bfnrt'.includes(String.fromCharCode(escaped)) ? LINE_BREAK : findColumn(escaped),
)

function countWide(text: TextReading, codePoint: number, byteCount: number): void {
  const isRepeated = text.wideEnd === text.at && text.wide === codePoint && codePoint < FIRST_CJK
  const units = scriptUnits(codePoint)
  take(text, isLatinLetter(codePoint) ? MARKED_LETTER : WIDE)
  text.units += isRepeated ? units >> DRAWN_LINE_SHIFT : units
  text.at += byteCount
  text.wide = codePoint
  text.wideEnd = text.at
}

function wideBytes(first: number): number {
  if (first < 0xe0) return first < 0xc0 ? 1 : 2
  return first < 0xf0 ? 3 : 4
}

function peekWide(bytes: Buffer, at: number): number {
  const first = bytes[at] as number
  const second = (bytes[at + 1] ?? 0) & 0x3f
  if (first < 0xe0) return first < 0xc0 ? 0xbf : ((first & 0x1f) << 6) | second
  const third = (bytes[at + 2] ?? 0) & 0x3f
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] ?? 0) & 0x3f)
}
