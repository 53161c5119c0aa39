/**
 * Reads attribute paths and filters of RFC 7644 3.4.2.2, as far as this gateway answers them.
 * Our own, because only these forms are answered, and each refusal must name its SCIM error type.
 */

import { ScimFailure, type ScimType } from './scim-failure.ts'
import type { ScimCondition, ScimOperator } from './scim-filter.store.ts'

export interface ValueFilter {
  /** In lower case. */
  readonly attribute: string
  readonly operator: ScimOperator
  readonly value: string | boolean | null
}

/** `emails[type eq "work"].value` has all three parts; names are in lower case and without the schema in front. */
export interface AttributePath {
  readonly attribute: string
  /** All of them must hold; at least one when there are brackets. */
  readonly filters: readonly ValueFilter[] | undefined
  readonly sub: string | undefined
}

type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'value'; readonly value: string | boolean | null }

const MAX_LENGTH = 4_000
const MAX_CONDITIONS = 20
const operators: readonly string[] = ['eq', 'co', 'sw']
const tokenPattern = () => /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|(\.?[a-z$][\w$:.-]*)|(-?\d[\d.]*))/iy

class Reader {
  readonly #tokens: readonly Token[]
  readonly #refusal: ScimType
  #at = 0

  constructor(text: string, refusal: ScimType) {
    this.#refusal = refusal
    if (text.length > MAX_LENGTH) throw this.refuse(`It is longer than ${MAX_LENGTH} characters.`)
    this.#tokens = this.#read(text.trim())
  }

  refuse(reason: string): ScimFailure {
    const what = this.#refusal === 'invalidFilter' ? 'filter' : 'path'
    return new ScimFailure(400, `The ${what} is not understood. ${reason}`, this.#refusal)
  }

  #read(text: string): Token[] {
    const tokens: Token[] = []
    const token = tokenPattern()
    while (token.lastIndex < text.length) {
      const at = token.lastIndex
      const [whole, quoted, mark, word, number] = token.exec(text) ?? []
      if (whole === undefined) throw this.refuse(`It goes wrong at character ${at + 1}.`)
      if (quoted !== undefined) tokens.push({ kind: 'value', value: this.#unquoted(quoted) })
      else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
      else tokens.push(number === undefined ? wordToken(word ?? '') : { kind: 'value', value: number })
    }
    return tokens
  }

  #unquoted(quoted: string): string {
    let value: unknown
    try {
      value = JSON.parse(quoted)
    } catch {
      throw this.refuse('A text in quotes is not valid JSON.')
    }
    if (typeof value !== 'string' || /[\p{Cc}\p{Cs}]/u.test(value)) throw this.refuse('A text has control characters.')
    return value
  }

  isDone(): boolean {
    return this.#at >= this.#tokens.length
  }

  takeMark(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'mark' || token.text !== text) return false
    this.#at += 1
    return true
  }

  requireMark(text: string): void {
    if (!this.takeMark(text)) throw this.refuse(`"${text}" is missing.`)
  }

  takeWord(): string | undefined {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word') return undefined
    this.#at += 1
    return token.text
  }

  requireWord(): string {
    const word = this.takeWord()
    if (word === undefined) throw this.refuse('A name is missing.')
    return word
  }

  requireOperator(): ScimOperator {
    const word = this.requireWord().toLowerCase()
    if (!operators.includes(word)) throw this.refuse('Only eq, co, sw and "and" are supported.')
    return word as ScimOperator
  }

  requireValue(): string | boolean | null {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'value') throw this.refuse('A value is missing.')
    this.#at += 1
    return token.value
  }
}

function wordToken(word: string): Token {
  const lower = word.toLowerCase()
  if (lower === 'true' || lower === 'false') return { kind: 'value', value: lower === 'true' }
  return lower === 'null' ? { kind: 'value', value: null } : { kind: 'word', text: word }
}

/** Attributes of other schemas keep their whole name, and so match nothing that is known here. */
function withoutSchema(name: string): string {
  return name.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '')
}

function readPath(reader: Reader): AttributePath {
  const name = withoutSchema(reader.requireWord())
  if (name.startsWith('.')) throw reader.refuse('It begins with a dot.')
  if (!reader.takeMark('[')) {
    // The dots of a schema's version are no sub-attribute.
    const dot = name.startsWith('urn:') ? -1 : name.indexOf('.')
    return dot < 0
      ? { attribute: name, filters: undefined, sub: undefined }
      : { attribute: name.slice(0, dot), filters: undefined, sub: name.slice(dot + 1) }
  }
  const filters = readConditions(reader, () => ({
    attribute: reader.requireWord().toLowerCase(),
    operator: reader.requireOperator(),
    value: reader.requireValue(),
  }))
  reader.requireMark(']')
  const sub = reader.takeWord()?.toLowerCase()
  if (sub !== undefined && !sub.startsWith('.')) throw reader.refuse('"." is missing after "]".')
  return { attribute: name, filters, sub: sub?.slice(1) }
}

export function parsePath(text: string): AttributePath {
  const reader = new Reader(text, 'invalidPath')
  const path = readPath(reader)
  if (!reader.isDone()) throw reader.refuse('It goes on after its end.')
  return path
}

export function parseFilter<A extends string>(text: string, names: readonly A[]): readonly ScimCondition<A>[] {
  const reader = new Reader(text, 'invalidFilter')
  const conditions = readConditions(reader, () => {
    const attribute = requireName(reader, readPath(reader), names)
    return checked(reader, { attribute, operator: reader.requireOperator(), value: reader.requireValue() })
  })
  if (!reader.isDone()) throw reader.refuse('It goes on after its end.')
  return conditions
}

/** Conditions joined by `and`, with or without parentheses, become one list. */
function readConditions<T>(reader: Reader, readOne: () => T): readonly T[] {
  const conditions: T[] = []

  function readTerm(depth: number): void {
    if (depth > MAX_CONDITIONS) throw reader.refuse('Its parentheses are nested too deeply.')
    if (conditions.length >= MAX_CONDITIONS) throw reader.refuse(`It has more than ${MAX_CONDITIONS} conditions.`)
    if (reader.takeMark('(')) {
      readAll(depth + 1)
      reader.requireMark(')')
      return
    }
    conditions.push(readOne())
  }

  function readAll(depth: number): void {
    readTerm(depth)
    for (let word = reader.takeWord(); word !== undefined; word = reader.takeWord()) {
      if (word.toLowerCase() !== 'and') throw reader.refuse('Only eq, co, sw and "and" are supported.')
      readTerm(depth)
    }
  }

  readAll(0)
  return conditions
}

function requireName<A extends string>(reader: Reader, path: AttributePath, names: readonly A[]): A {
  if (path.filters !== undefined && !(path.attribute === 'emails' && path.filters.every(selectsKeptEmail)))
    throw reader.refuse('Only emails of type work can be chosen in brackets.')
  // Providers write `members eq` and `emails eq` for the values.
  const sub = path.sub ?? (path.attribute === 'members' || path.attribute === 'emails' ? 'value' : undefined)
  const wanted = sub === undefined ? path.attribute : `${path.attribute}.${sub}`
  const name = names.find((one) => one.toLowerCase() === wanted)
  if (name === undefined) throw reader.refuse(`It can use ${names.join(', ')}.`)
  return name
}

/** One address is kept for a user: the primary one, which is the one for work. */
export function selectsKeptEmail({ attribute, operator, value }: ValueFilter): boolean {
  if (operator !== 'eq') return false
  if (attribute === 'type') return typeof value === 'string' && value.toLowerCase() === 'work'
  return attribute === 'primary' && String(value).toLowerCase() === 'true'
}

function checked<A extends string>(reader: Reader, condition: ScimCondition<A>): ScimCondition<A> {
  const { attribute, operator, value } = condition
  if (attribute !== 'active') {
    if (typeof value === 'boolean' || (value === null && operator !== 'eq'))
      throw reader.refuse(`${attribute} is compared with a text.`)
    return condition
  }
  const text = String(value).toLowerCase()
  if (operator !== 'eq' || (text !== 'true' && text !== 'false'))
    throw reader.refuse('active is compared by eq with true or false.')
  return { ...condition, value: text === 'true' }
}
