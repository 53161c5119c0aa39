/**
 * The prices of running text as one table: for what came before and the next character, the price of the character and
 * what it leaves behind. One look-up per byte and no branches: deciding byte by byte took twice the time, because
 * where words end cannot be predicted.
 *
 * The cuts are those of the public tokenizer: letters, digits, signs and white space form runs of their own, and a
 * single space belongs to the run behind it.
 */
import { letterPairUnits, UNITS_PER_TOKEN } from './letter-pairs.ts'

/** Columns of characters that do not come as themselves. Control characters cannot occur in a JSON string. */
export const ESCAPED_QUOTE = 0x01
export const ESCAPED_BACKSLASH = 0x02
export const MARKED_LETTER = 0x03
export const WIDE = 0x04
export const LINE_BREAK = 0x0a

/** Entry of the bytes that end a run of plain characters: the quote and the backslash. */
export const STOP = 0
export const COLUMN_BITS = 7
export const PRICE_BITS = 8
export const START_STATE = 1

/** A run of digits, signs or white space costs a token at least. */
const RUN_UNITS = UNITS_PER_TOKEN
/** The rest of the token that most words are comes with their letter pairs. */
const WORD_UNITS = 64
const CAPITAL_WORD_UNITS = 75
/** On top of the price of the letter itself. */
const MARKED_START_UNITS = 48
/** `camelCase` and `ALLCAPS`. */
const HUMP_UNITS = 62
const CAPITAL_PAIR_UNITS = 21
/** A token holds up to three digits, in the mean two and a half. */
const FOURTH_DIGIT_UNITS = 80
const LATER_DIGIT_UNITS = 33
const SECOND_SIGN_UNITS = 4
const LATER_SIGN_UNITS = 36
/** Rules such as `-----` and deep indentation come in tokens of up to 80 characters. */
const REPEATED_UNITS = 1

const SPACE = 0x20
const QUOTE = 0x22
const APOSTROPHE = 0x27
const BACKSLASH = 0x5c
const UPPER_A = 0x41
const LOWER_A = 0x61

const AFTER_WIDE = 2
/** An apostrophe behind a letter: the ending of "don't" is one token with it. */
const AFTER_APOSTROPHE = 3
const AFTER_MARKED_LETTER = 4
const FIRST_DIGIT = 5
const LAST_DIGIT = 8
const ONE_SPACE = 9
const ONE_BREAK = 10
/** The last character of a longer run stands alone unless it is a space, which is only known when the run is over. */
const RUN_ENDING_IN_SPACE = 11
const RUN_ENDING_IN_BREAK = 12
/** One state per letter, lower case first. */
const AFTER_LETTER = 13
/** One state per sign, for the first, the second and all later ones of a run. */
const AFTER_SIGN = AFTER_LETTER + 52

const SIGNS = [...Array(128).keys()].filter((column) => isSign(column))

interface Step {
  readonly to: number
  readonly units: number
}

/** Indexed by `state << COLUMN_BITS | column`; an entry is `next state << PRICE_BITS | price`. */
export const TEXT_STEPS = toTable(AFTER_SIGN + 3 * SIGNS.length)

function toTable(states: number): Uint16Array {
  const table = new Uint16Array(states << COLUMN_BITS).fill(STOP)
  for (let state = START_STATE; state < states; state += 1) {
    for (let column = 0; column < 1 << COLUMN_BITS; column += 1) {
      if (column === QUOTE || column === BACKSLASH) continue
      const { to, units } = decideStep(state, column)
      table[(state << COLUMN_BITS) | column] = (to << PRICE_BITS) | units
    }
  }
  return table
}

function decideStep(state: number, column: number): Step {
  if (isWhite(column)) return stepToWhite(state, column)
  const overdue = state === RUN_ENDING_IN_BREAK ? UNITS_PER_TOKEN : 0
  const { to, units } = stepToRun(state, column)
  return { to, units: units + overdue }
}

function stepToRun(state: number, column: number): Step {
  if (column === WIDE) return { to: AFTER_WIDE, units: 0 }
  if (column === MARKED_LETTER) return { to: AFTER_MARKED_LETTER, units: isWord(state) ? 0 : MARKED_START_UNITS }
  if (column >= 0x30 && column <= 0x39) return stepToDigit(state)
  const letter = letterIndex(column)
  return letter === undefined ? stepToSign(state, column) : stepToLetter(state, letter)
}

function stepToLetter(state: number, letter: number): Step {
  const to = AFTER_LETTER + letter
  const isCapital = letter >= 26
  if (state === AFTER_APOSTROPHE && !isCapital) return { to, units: 0 }
  if (!isWord(state)) return { to, units: isCapital ? CAPITAL_WORD_UNITS : WORD_UNITS }
  if (state === AFTER_MARKED_LETTER) return { to, units: isCapital ? HUMP_UNITS : 0 }
  const previous = state - AFTER_LETTER
  if (isCapital) return { to, units: previous >= 26 ? CAPITAL_PAIR_UNITS : HUMP_UNITS }
  return { to, units: letterPairUnits(previous % 26, letter) }
}

function stepToDigit(state: number): Step {
  if (state < FIRST_DIGIT || state > LAST_DIGIT) return { to: FIRST_DIGIT, units: RUN_UNITS }
  if (state === LAST_DIGIT) return { to: LAST_DIGIT, units: LATER_DIGIT_UNITS }
  return { to: state + 1, units: state + 1 === LAST_DIGIT ? FOURTH_DIGIT_UNITS : 0 }
}

function stepToSign(state: number, column: number): Step {
  const sign = SIGNS.indexOf(column)
  if (column === APOSTROPHE && isWord(state)) return { to: AFTER_APOSTROPHE, units: RUN_UNITS }
  if (state < AFTER_SIGN) return { to: AFTER_SIGN + sign, units: RUN_UNITS }
  const place = Math.floor((state - AFTER_SIGN) / SIGNS.length)
  if (state === AFTER_SIGN + place * SIGNS.length + sign) return { to: state, units: REPEATED_UNITS }
  const nextPlace = Math.min(2, place + 1)
  return { to: AFTER_SIGN + nextPlace * SIGNS.length + sign, units: place === 0 ? SECOND_SIGN_UNITS : LATER_SIGN_UNITS }
}

/** All but the last character of a run are one token; the last one is paid when the run is over, if it is no space. */
function stepToWhite(state: number, column: number): Step {
  const isSpace = column === SPACE
  if (state < ONE_SPACE || state > RUN_ENDING_IN_BREAK) {
    return isSpace ? { to: ONE_SPACE, units: 0 } : { to: ONE_BREAK, units: RUN_UNITS }
  }
  const to = isSpace ? RUN_ENDING_IN_SPACE : RUN_ENDING_IN_BREAK
  return { to, units: state === ONE_SPACE ? RUN_UNITS : state === ONE_BREAK ? 0 : REPEATED_UNITS }
}

function isWord(state: number): boolean {
  return state === AFTER_MARKED_LETTER || (state >= AFTER_LETTER && state < AFTER_SIGN)
}

function isWhite(column: number): boolean {
  return (
    column <= SPACE &&
    column !== ESCAPED_QUOTE &&
    column !== ESCAPED_BACKSLASH &&
    column !== MARKED_LETTER &&
    column !== WIDE
  )
}

function isSign(column: number): boolean {
  if (column === ESCAPED_QUOTE || column === ESCAPED_BACKSLASH) return true
  if (column <= SPACE || column === QUOTE || column === BACKSLASH) return false
  return letterIndex(column) === undefined && !(column >= 0x30 && column <= 0x39)
}

function letterIndex(column: number): number | undefined {
  if (column >= LOWER_A && column < LOWER_A + 26) return column - LOWER_A
  return column >= UPPER_A && column < UPPER_A + 26 ? column - UPPER_A + 26 : undefined
}
