import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonScanError, scanObject } from './json-spans.ts'
import { applyEdits, type JsonEdit, removeSpans, replaceSpan } from './json-spans-edit.ts'
import { buildFieldTree, type FieldChange, fieldEdits } from './json-spans-fields.ts'
import { elementsAt, membersAt } from './json-spans-read.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const keys = fc.constantFrom<string[]>('a', 'b', 'scope', '1', '__proto__', 'k"q', 'back\\slash', 'é€😀', '')
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, -1.5, 1e21, 'x', '\\', '"', '\n\t"\\\\"', 'z'.repeat(90)),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value
const object = fc.dictionary(keys, value, { maxKeys: 6, noNullPrototype: true })
const space = fc.constantFrom('', ' ', '\n', '\t \r\n')

/** A document with odd but legal white space and, at times, escaped spellings. */
const document = fc.tuple(object, space, fc.boolean()).map(([json, gap, escaped]) => {
  const spread = (item: unknown): string => {
    if (Array.isArray(item)) return `[${gap}${item.map(spread).join(`${gap},${gap}`)}${gap}]`
    if (item === null || typeof item !== 'object') return JSON.stringify(item)
    const members = Object.entries(item).map(([key, inner]) => {
      const quoted = JSON.stringify(key)
      const spelt = escaped && /^"\w"$/.test(quoted) ? `"\\u00${key.charCodeAt(0).toString(16)}"` : quoted
      return `${spelt}${gap}:${gap}${spread(inner)}`
    })
    return `{${gap}${members.join(`${gap},${gap}`)}${gap}}`
  }
  return spread(json)
})

function edited(bytes: Buffer, edits: readonly JsonEdit[]): unknown {
  return JSON.parse(Buffer.concat(applyEdits(bytes, edits)).toString())
}

test('the spans of a document are exactly its members', () => {
  fc.assert(
    fc.property(document, (text) => {
      const bytes = Buffer.from(text)
      const scanned = scanObject(bytes)
      const rebuilt = Object.fromEntries(
        scanned.members.map((member) => [
          member.key,
          JSON.parse(bytes.toString('utf8', member.valueStart, member.end)),
        ]),
      )
      assert.deepEqual(rebuilt, JSON.parse(text))
    }),
  )
})

test('what JSON.parse takes, the scan takes; where they differ it is only inside strings', () => {
  fc.assert(
    fc.property(
      document,
      fc.nat(),
      fc.constantFrom('{', '}', '[', ']', ',', ':', '1', 'x', ' '),
      (text, place, noise) => {
        const at = place % (text.length + 1)
        const broken = text.slice(0, at) + noise + text.slice(at)
        const bytes = Buffer.from(broken)
        const parses = attempt(() => JSON.parse(broken))
        const scans = attempt(() => scanObject(bytes))
        if (parses) assert.ok(scans || !broken.trim().startsWith('{'), broken)
        if (scans && !parses) assert.match(String(failure(() => JSON.parse(broken))), /escape|control/i)
      },
    ),
  )
})

test('removing members equals deleting them, and everything else keeps its bytes', () => {
  fc.assert(
    fc.property(document, fc.array(keys), (text, doomed) => {
      const bytes = Buffer.from(text)
      const { members } = scanObject(bytes)
      const edits = removeSpans(members, (index) => doomed.includes(members[index]?.key ?? ''))
      const expected = JSON.parse(text)
      for (const key of doomed) delete expected[key]
      assert.deepEqual(edited(bytes, edits), expected)
      const kept = members.filter((member) => !doomed.includes(member.key))
      const result = Buffer.concat(applyEdits(bytes, edits)).toString()
      for (const member of kept) assert.ok(result.includes(bytes.toString('utf8', member.start, member.end)))
    }),
  )
})

test('edits by path equal the same change on the parsed document', () => {
  const path = fc.array(
    keys.filter((key) => key !== '' && !key.includes('.')),
    { minLength: 2, maxLength: 4 },
  )
  const change = fc.constantFrom<FieldChange>(
    { kind: 'remove' },
    { kind: 'replace', json: '{"new":1}' },
    { kind: 'rename', to: 'renamed' },
  )
  fc.assert(
    fc.property(document, path, change, (text, segments, how) => {
      const bytes = Buffer.from(text)
      const scanned = scanObject(bytes)
      const { edits, leaving } = fieldEdits(bytes, scanned, buildFieldTree([[segments.join('.'), how]]))
      const all = [...edits, ...removeSpans(scanned.members, (index) => leaving.has(index))]
      assert.deepEqual(edited(bytes, all), changed(JSON.parse(text), segments, how))
    }),
    { numRuns: 500 },
  )
})

test('elements and members inside a value are those of the parsed value', () => {
  fc.assert(
    fc.property(value, (json) => {
      const bytes = Buffer.from(JSON.stringify({ x: json }))
      const at = scanObject(bytes).members[0]?.valueStart ?? 0
      const parse = (start: number, end: number) => JSON.parse(bytes.toString('utf8', start, end))
      if (Array.isArray(json)) {
        assert.deepEqual(
          elementsAt(bytes, at).map((span) => parse(span.start, span.end)),
          JSON.parse(JSON.stringify(json)),
        )
      } else if (json !== null && typeof json === 'object') {
        const pairs = membersAt(bytes, at).map((member) => [member.key, parse(member.valueStart, member.end)])
        assert.deepEqual(Object.fromEntries(pairs), JSON.parse(JSON.stringify(json)))
      }
    }),
  )
})

test('untouched bytes are the same memory, not a copy', () => {
  const bytes = Buffer.from('{"a":1,"b":2,"c":3}')
  const b = scanObject(bytes).members[1]
  assert.ok(b)
  const pieces = applyEdits(bytes, [replaceSpan({ start: b.valueStart, end: b.end }, '9')])
  assert.equal(Buffer.concat(pieces).toString(), '{"a":1,"b":9,"c":3}')
  assert.ok(pieces[0]?.buffer === bytes.buffer && pieces[2]?.buffer === bytes.buffer)
})

/** The same change on values: the reference that the span edits are held against. */
function changed(json: Json, segments: readonly string[], how: FieldChange): unknown {
  const doomed = Symbol('doomed')
  const visit = (item: Json, depth: number, nested: boolean): unknown => {
    if (Array.isArray(item)) {
      return item.map((element) => {
        const result = depth === 0 ? element : visit(element, depth, true)
        return result === doomed ? {} : result
      })
    }
    if (item === null || typeof item !== 'object') return item
    const entries = Object.entries(item).flatMap(([key, inner]): [string, unknown][] => {
      if (key !== segments[depth]) return [[key, inner]]
      if (depth < segments.length - 1) {
        const result = visit(inner, depth + 1, true)
        return result === doomed ? [] : [[key, result]]
      }
      if (how.kind === 'remove') return []
      return how.kind === 'rename' ? [[how.to, inner]] : [[key, JSON.parse(how.json)]]
    })
    return nested && entries.length === 0 && Object.keys(item).length > 0 ? doomed : Object.fromEntries(entries)
  }
  return visit(json, 0, false)
}

function attempt(act: () => unknown): boolean {
  return failure(act) === undefined
}

function failure(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof JsonScanError)) throw error
    return error
  }
}
