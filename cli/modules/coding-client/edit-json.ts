/**
 * Changes single values of a JSON file and leaves every other byte as it is: people have written and formatted it.
 * It uses the scanner that the gateway has anyway, so no dependency is needed.
 */
import { type JsonSpan, scanObject } from '../../../src/foundation/platform/json-spans.ts'
import { applyEdits, insertAt, removeSpans, replaceSpan } from '../../../src/foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  isObjectAt,
  memberAt,
  membersAt,
} from '../../../src/foundation/platform/json-spans-read.ts'
import { usageError } from '../../terminal/cli-error.ts'

export type Path = readonly [string] | readonly [string, string]

const STEP = '  '

/** Throws when the text is not a JSON object. */
export function requireObject(text: string, file: string): Buffer {
  const bytes = Buffer.from(text.trim() === '' ? '{}\n' : text)
  try {
    JSON.parse(bytes.toString('utf8'))
    scanObject(bytes)
  } catch (error) {
    throw usageError(
      `${file} is not a JSON object: ${(error as Error).message}`,
      'nothing was changed; repair it and run this again',
    )
  }
  return bytes
}

/** The value as it is written; undefined when it is absent. */
export function rawAt(bytes: Buffer, path: Path): string | undefined {
  const span = spanAt(bytes, path)
  return span === undefined ? undefined : bytes.toString('utf8', span.start, span.end)
}

export function setAt(bytes: Buffer, path: Path, json: string): Buffer {
  const [first, second] = path
  const root = findRoot(bytes)
  const member = memberAt(bytes, root, first)
  if (second === undefined)
    return member === undefined
      ? insertMember(bytes, root, first, json)
      : replace(bytes, { start: member.valueStart, end: member.end }, json)
  if (member === undefined)
    return insertMember(bytes, root, first, `{\n${STEP}${STEP}${JSON.stringify(second)}: ${json}\n${STEP}}`)
  requireKind(isObjectAt(bytes, member.valueStart), first, 'an object')
  const inner = memberAt(bytes, member.valueStart, second)
  if (inner === undefined) return insertMember(bytes, member.valueStart, second, json)
  return replace(bytes, { start: inner.valueStart, end: inner.end }, json)
}

export function deleteAt(bytes: Buffer, path: Path): Buffer {
  const [first, second] = path
  const root = findRoot(bytes)
  const parent = second === undefined ? root : memberAt(bytes, root, first)?.valueStart
  if (parent === undefined) return bytes
  const members = membersAt(bytes, parent)
  const name = second ?? first
  return Buffer.concat(
    applyEdits(
      bytes,
      removeSpans(members, (index) => members[index]?.key === name),
    ),
  )
}

export function hasElement(bytes: Buffer, path: Path, json: string): boolean {
  const span = spanAt(bytes, path)
  return (
    span !== undefined &&
    elementsAt(bytes, span.start).some(({ start, end }) => bytes.toString('utf8', start, end) === json)
  )
}

export function addElement(bytes: Buffer, path: Path, json: string): Buffer {
  const span = spanAt(bytes, path)
  if (span === undefined) return setAt(bytes, path, `[${json}]`)
  requireKind(isArrayAt(bytes, span.start), path.join('.'), 'a list')
  const last = elementsAt(bytes, span.start).at(-1)
  const at = last?.end ?? span.start + 1
  return Buffer.concat(applyEdits(bytes, [insertAt(at, last === undefined ? json : `, ${json}`)]))
}

export function removeElement(bytes: Buffer, path: Path, json: string): Buffer {
  const span = spanAt(bytes, path)
  if (span === undefined) return bytes
  const elements = elementsAt(bytes, span.start)
  const isIt = (index: number): boolean => {
    const element = elements[index]
    return element !== undefined && bytes.toString('utf8', element.start, element.end) === json
  }
  return Buffer.concat(applyEdits(bytes, removeSpans(elements, isIt)))
}

export function isEmptyAt(bytes: Buffer, path: Path): boolean {
  const span = spanAt(bytes, path)
  return span !== undefined && membersAt(bytes, span.start).length === 0 && elementsAt(bytes, span.start).length === 0
}

function findRoot(bytes: Buffer): number {
  return scanObject(bytes).start
}

function spanAt(bytes: Buffer, [first, second]: Path): JsonSpan | undefined {
  const member = memberAt(bytes, findRoot(bytes), first)
  const found = member === undefined || second === undefined ? member : memberAt(bytes, member.valueStart, second)
  return found === undefined ? undefined : { start: found.valueStart, end: found.end }
}

function replace(bytes: Buffer, span: JsonSpan, json: string): Buffer {
  return Buffer.concat(applyEdits(bytes, [replaceSpan(span, json)]))
}

/** Behind the last member, indented as that one is. */
function insertMember(bytes: Buffer, object: number, key: string, json: string): Buffer {
  const last = membersAt(bytes, object).at(-1)
  const text = `${JSON.stringify(key)}: ${json}`
  if (last !== undefined)
    return Buffer.concat(applyEdits(bytes, [insertAt(last.end, `,${spaceBefore(bytes, last.start)}${text}`)]))
  const outer = /\n?([ \t]*)$/.exec(lineBefore(bytes, object))?.[1] ?? ''
  return Buffer.concat(
    applyEdits(bytes, [
      insertAt(object + 1, `\n${outer}${STEP}${text}${bytes[object + 1] === 0x7d ? `\n${outer}` : ''}`),
    ]),
  )
}

function lineBefore(bytes: Buffer, at: number): string {
  const start = bytes.lastIndexOf(0x0a, at) + 1
  return /^[ \t]*/.exec(bytes.toString('utf8', start, at))?.[0] ?? ''
}

/** What stands between the comma or brace and a member: one blank, or a line break and its indentation. */
function spaceBefore(bytes: Buffer, at: number): string {
  let from = at
  while (from > 0 && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[from - 1] ?? 0)) from -= 1
  return bytes.toString('utf8', from, at) || ' '
}

function requireKind(isRight: boolean, name: string, kind: string): void {
  if (!isRight)
    throw usageError(
      `"${name}" in the client's settings is not ${kind}`,
      'nothing was changed; repair it and run this again',
    )
}
