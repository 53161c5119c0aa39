/** Shortens the message of a failure so that it can be stored: prompt text that an error quotes is left out. */

const MAX_MESSAGE_CHARACTERS = 500
const MAX_QUOTED_CHARACTERS = 40

/** Straight and typographic double quotes, and backticks. A quote without an end reaches to the end of the text. */
const DOUBLE_QUOTED = /"((?:[^"\\]|\\.)*)(?:"|$)|“([^”]*)(?:”|$)|`([^`]*)(?:`|$)/gs
/** Single quotes also are apostrophes: they only open behind a space or a sign, and only close before one. */
const SINGLE_QUOTED = /(?<![\p{L}\p{N}])'((?:[^'\\]|\\.|'(?=[\p{L}\p{N}]))*)'(?![\p{L}\p{N}])/gsu

export function shortenFailureMessage(text: string): string {
  // An error of the model can hold a whole prompt. What is far behind the part that is kept is not searched.
  const short = text
    .slice(0, 20 * MAX_MESSAGE_CHARACTERS)
    .replace(DOUBLE_QUOTED, shortenQuote)
    .replace(SINGLE_QUOTED, shortenQuote)
  const characters = [...short]
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return short
  return `${characters.slice(0, MAX_MESSAGE_CHARACTERS - 1).join('')}…`
}

function shortenQuote(whole: string): string {
  return [...whole].length - 2 > MAX_QUOTED_CHARACTERS ? '"…"' : whole
}
