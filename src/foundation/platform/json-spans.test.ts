import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createKeyWatch,
  ESCAPED_KEY_MARK,
  findMember,
  JsonScanError,
  MAX_JSON_DEPTH,
  MAX_JSON_MEMBERS,
  scanObject,
} from './json-spans.ts'
import { buildFieldTree, fieldEdits, hasFieldAt } from './json-spans-fields.ts'

function scan(text: string) {
  return scanObject(Buffer.from(text))
}

test('finds each member with its key, its value and the end of both', () => {
  const text = ' { "a" : [1, {"b":2}] ,\n"c":"x\\"y" } '
  const object = scan(text)
  assert.deepEqual(
    object.members.map((member) => [
      member.key,
      text.slice(member.start, member.keyEnd),
      text.slice(member.valueStart, member.end),
    ]),
    [
      ['a', '"a"', '[1, {"b":2}]'],
      ['c', '"c"', '"x\\"y"'],
    ],
  )
  assert.equal(text.slice(object.start, object.end), text.trim())
})

test('reads keys spelt with escapes as the key they mean', () => {
  const object = scan('{"\\u006dodel":1,"__proto__":2,"a\\"b":3,"é":4}')
  assert.deepEqual(
    object.members.map((member) => member.key),
    ['model', '__proto__', 'a"b', 'é'],
  )
})

test('keeps every member of a repeated key and finds the last', () => {
  const object = scan('{"a":1,"b":2,"a":3}')
  assert.equal(object.members.length, 3)
  assert.equal(findMember(object, 'a')?.start, 13)
  assert.equal(findMember(object, 'z'), undefined)
})

test('marks watched keys per member, at any depth or at one', () => {
  const watch = createKeyWatch([
    { name: 'scope', mark: 1 },
    { name: 'type', mark: 2, depth: 3 },
  ])
  const text =
    '{"a":[{"type":1}],"b":{"type":1},"c":{"x":{"y":{"scope":1}}},"d":"scope","e":{"s\\u0063ope":1},"scope":1}'
  const object = scanObject(Buffer.from(text), watch)
  assert.deepEqual(
    object.members.map((member) => [member.key, member.marks]),
    [
      ['a', 2],
      ['b', 0],
      ['c', 1],
      ['d', 0],
      ['e', ESCAPED_KEY_MARK],
      ['scope', 0],
    ],
  )
})

test('long strings full of quotes and backslashes end where JSON says', () => {
  for (const inner of ['\\\\', '\\"', '\\\\\\"', '\\n\\\\', `${'x'.repeat(50)}\\\\`, `${'x'.repeat(50)}\\\\\\"y`]) {
    for (let pad = 0; pad < 40; pad++) {
      const text = `{"a":"${'p'.repeat(pad)}${inner}","b":1}`
      const object = scan(text)
      assert.deepEqual(
        object.members.map((member) => text.slice(member.valueStart, member.end)),
        [JSON.stringify(JSON.parse(text).a), '1'],
      )
    }
  }
})

const refused = [
  '',
  '   ',
  '[]',
  '"a"',
  'null',
  '{',
  '{"a"',
  '{"a":',
  '{"a":}',
  '{"a":1',
  '{"a":1,',
  '{"a":1,}',
  '{,}',
  '{"a":[1,]}',
  '{"a":[1}',
  '{"a":{]}',
  '{"a":1]',
  '{a:1}',
  "{'a':1}",
  '{"a" 1}',
  '{"a"x1}',
  '{"a";1}',
  '{"a":{"b"x1}}',
  '{a":1}',
  '{"a":{b":1}}',
  '{"a":tru}',
  '{"a":nul}',
  '{"a":falsy}',
  '{"a":True}',
  '{"a":01}',
  '{"a":-}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":1e}',
  '{"a":+1}',
  '{"a":NaN}',
  '{"a":"x}',
  '{"a":"x\\"}',
  `{"a":"${'x'.repeat(100)}`,
  '{"a":1}x',
  '{"a":1}{"b":2}',
  '{"a":1 "b":2}',
  '{"\\x":1}',
  '{"a":{"\\x":1}}',
  '\ufeff{"a":1}',
]
for (const text of refused) {
  test(`refuses ${JSON.stringify(text).slice(0, 40)}`, () => {
    assert.throws(() => scan(text), JsonScanError)
  })
}

test('refuses bytes that are not UTF-8', () => {
  assert.throws(() => scanObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), /invalid UTF-8 at byte 2/)
})

test('accepts the deepest nesting and refuses one level more', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  assert.equal(scan(nested(MAX_JSON_DEPTH - 1)).members.length, 1)
  assert.throws(() => scan(nested(MAX_JSON_DEPTH)), /nested deeper/)
  assert.throws(() => scan(`{"a":${'['.repeat(200_000)}`), /nested deeper/)
})

test('accepts many members and refuses one more', () => {
  const members = (count: number) => `{"x":1${',"a":1'.repeat(count - 1)}}`
  assert.equal(scan(members(MAX_JSON_MEMBERS)).members.length, MAX_JSON_MEMBERS)
  assert.throws(() => scan(members(MAX_JSON_MEMBERS + 1)), /more than \d+ members/)
})

test('lists inside lists are read once, however deep they are', () => {
  const bytes = Buffer.from(`{"a":${'['.repeat(500)}{"b":1,"c":2}${',0'.repeat(1_000_000)}${']'.repeat(500)}}`)
  const document = scanObject(bytes)
  const before = process.cpuUsage()
  assert.equal(hasFieldAt(bytes, document.members[0]?.valueStart ?? 0, ['d']), false)
  const { edits } = fieldEdits(bytes, document, buildFieldTree([['a.b', { kind: 'remove' }]]))
  // Else it is half a gigabyte for each of the two.
  assert.ok(process.cpuUsage(before).user < 3_000_000)
  assert.equal(edits.length, 1)
})
