/**
 * One environment variable: its name, type, default and text. The configuration page of the docs is made from these.
 * Our own, because an error must name the variable and the documentation needs the same table.
 */

export interface Variable<T> {
  readonly name: string
  readonly group: string
  readonly kind: string
  /** As shown in the docs; the effective default is `fallback`. */
  readonly shownDefault: string
  readonly text: string
  /** Throws an Error whose message completes "NAME ...". */
  readonly parse: (raw: string) => T
  readonly fallback: T
}

interface Described<T> {
  readonly group: string
  readonly text: string
  readonly fallback: T
  readonly shownDefault?: string
}

type Parse<T> = (raw: string) => T

function make<T>(name: string, kind: string, parse: Parse<NonNullable<T>>, described: Described<T>): Variable<T> {
  const { fallback } = described
  return {
    name,
    kind,
    group: described.group,
    text: described.text,
    shownDefault: described.shownDefault ?? (fallback === null ? 'none' : String(fallback)),
    parse: parse as Parse<T>,
    fallback,
  }
}

export function text<T extends string | null>(name: string, described: Described<T>): Variable<string | T> {
  return make<string | T>(name, 'text', (raw) => raw as NonNullable<T>, described)
}

export function integer(
  name: string,
  range: { readonly low: number; readonly high: number },
  described: Described<number>,
): Variable<number> {
  const parse = (raw: string): number => {
    const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN
    if (!(value >= range.low && value <= range.high))
      throw new Error(`must be a whole number from ${range.low} to ${range.high}`)
    return value
  }
  return make(name, 'integer', parse, described)
}

export function flag(name: string, described: Described<boolean>): Variable<boolean> {
  const parse = (raw: string): boolean => {
    const word = raw.toLowerCase()
    if (['true', '1', 'yes', 'on'].includes(word)) return true
    if (['false', '0', 'no', 'off'].includes(word)) return false
    throw new Error('must be true or false')
  }
  return make(name, 'boolean', parse, described)
}

export function choice<const V extends string, T extends V | null>(
  name: string,
  values: readonly V[],
  described: Described<T>,
): Variable<V | T> {
  const parse = (raw: string): V => {
    const found = values.find((value) => value === raw.toLowerCase())
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return found
  }
  return make<V | T>(
    name,
    values.map((value) => `\`${value}\``).join(', '),
    parse as Parse<NonNullable<V | T>>,
    described,
  )
}

export function url(name: string, described: Described<string | null>): Variable<string | null> {
  const parse = (raw: string): string => {
    if (!URL.canParse(raw) || !/^https?:$/.test(new URL(raw).protocol)) throw new Error('must be an http or https URL')
    return raw
  }
  return make(name, 'URL', parse, described)
}

export function parsed<T>(
  name: string,
  kind: string,
  parse: Parse<NonNullable<T>>,
  described: Described<T>,
): Variable<T> {
  return make(name, kind, parse, described)
}
