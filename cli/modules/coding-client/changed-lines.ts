/**
 * What changes in a settings file, in a form that may stand on a screen or in a log. The setup script has the same
 * rules.
 * A few lines; a dependency would be larger and would not know what is secret.
 */

const SHOWN_CHARACTERS = 12
/** Headers and bearer tokens are credentials too; `apiKeyHelper` names a program. */
const secretName = /(?:key|token|secret|password|authorization|headers)$|bearer/i
/** Every string of a JSON text, together with the string that follows it as its value. */
const strings = /"([^"\\]*(?:\\.[^"\\]*)*)"(?:(\s*:\s*)"([^"\\]*(?:\\.[^"\\]*)*)")?/g

/** Lines that come and go; a secret is shown by its beginning, whether it is ours or was there before. */
export function changedLines(before: string, after: string): readonly string[] {
  const old = splitLines(before)
  const fresh = splitLines(after)
  return [...linesWithout(old, fresh, '-'), ...linesWithout(fresh, old, '+')]
}

interface Line {
  readonly text: string
  readonly shown: string
}

/** Hidden in the whole text, since a value may stand on another line than its name; no line is added or lost by it. */
function splitLines(text: string): readonly Line[] {
  const shown = hideSecrets(text).split('\n')
  return text.split('\n').map((line, index) => ({ text: line, shown: shown[index]?.trim() ?? '' }))
}

function linesWithout(lines: readonly Line[], others: readonly Line[], sign: string): readonly string[] {
  const known = new Set(others.map(({ text }) => text))
  return lines.filter(({ text, shown }) => shown !== '' && !known.has(text)).map(({ shown }) => `${sign} ${shown}`)
}

function hideSecrets(json: string): string {
  return json.replace(strings, (whole, name: string, between: string | undefined, value: string) =>
    between !== undefined && secretName.test(JSON.parse(`"${name}"`))
      ? `"${name}"${between}"${shortenSecret(value)}"`
      : whole,
  )
}

/** At most a quarter: the beginning of a short secret would be most of it. */
function shortenSecret(secret: string): string {
  return `${secret.slice(0, Math.min(SHOWN_CHARACTERS, Math.floor(secret.length / 4)))}…`
}
