/** Says in words what is wrong with a value that a schema refuses. A schema's own words go before these. */
import type { core } from 'zod'

type Issue = core.$ZodIssue

export interface Mistake {
  /** From the outside in, with dots. */
  readonly path: string
  readonly message: string
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  nan: 'a number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'text',
}

const formats: Readonly<Record<string, string>> = {
  date: 'a day such as 2026-01-31',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
}

/** For `safeParse`: undefined leaves the words to the library. */
export function wordsFor(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is needed' : mustBe(kinds[issue.expected])
    case 'invalid_value':
      return issue.input === undefined ? 'is needed' : mustBe(listChoices(issue.values))
    case 'invalid_format':
      return mustBe(formats[issue.format])
    case 'too_small':
      return bound(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least')
    case 'too_big':
      return bound(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most')
    default:
      return undefined
  }
}

export function mistakesIn(issues: readonly Issue[], above: readonly PropertyKey[] = []): readonly Mistake[] {
  return issues.flatMap((issue) => {
    const place = [...above, ...issue.path]
    const path = place.map(String).join('.')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: path === '' ? key : `${path}.${key}`,
        message: 'There is no such field here.',
      }))
    if (issue.code === 'invalid_union') return mistakesInForms(issue.errors, place, issue.message)
    return [{ path, message: issue.message }]
  })
}

/** Of a value that may have several forms: inside the form that was meant, or which forms there are. */
function mistakesInForms(
  forms: readonly (readonly Issue[])[],
  place: readonly PropertyKey[],
  message: string,
): readonly Mistake[] {
  const meant = forms.find((issues) => issues.every(({ path }) => path.length > 0))
  if (meant !== undefined) return mistakesIn(meant, place)
  // The first of each form: behind the wrong kind of value stands what the value of that kind would have to be.
  const texts = forms.flatMap((issues) => issues.find(({ path }) => path.length === 0)?.message ?? [])
  const [first = message, ...others] = new Set(texts)
  return [{ path: place.map(String).join('.'), message: [first, ...others.map(withoutMust)].join(', or ') }]
}

function mustBe(what: string | undefined): string | undefined {
  return what === undefined ? undefined : `must be ${what}`
}

function withoutMust(message: string): string {
  return message.replace(/^must be /, '')
}

function listChoices(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}

const counted: Readonly<Record<string, readonly [one: string, many: string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
}

function bound(origin: string, limit: number | bigint, comparison: string): string | undefined {
  if (origin === 'number' || origin === 'int') return `must be ${comparison} ${limit}`
  const things = counted[origin]
  return things && `must have ${comparison} ${limit} ${things[limit === 1 ? 0 : 1]}`
}
