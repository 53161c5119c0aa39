import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addElement, deleteAt, hasElement, isEmptyAt, rawAt, removeElement, requireObject, setAt } from './edit-json.ts'

const at = (text: string): Buffer => requireObject(text, 'settings.json')
const text = (bytes: Buffer): string => bytes.toString('utf8')

test('a value is set and taken out again, and every other byte stays', () => {
  const source = '{\n    "big": 12345678901234567890,\n    "env": { "A":"1" },\n    "é": [1,2]\n}\n'
  const changed = setAt(setAt(at(source), ['env', 'B'], '"2"'), ['model'], '"x"')
  assert.equal(
    text(changed),
    '{\n    "big": 12345678901234567890,\n    "env": { "A":"1", "B": "2" },\n    "é": [1,2],\n    "model": "x"\n}\n',
  )
  assert.equal(text(deleteAt(deleteAt(changed, ['env', 'B']), ['model'])), source)
})

test('an empty or missing file becomes an object with the value', () => {
  assert.equal(text(setAt(at(''), ['env', 'A'], '"1"')), '{\n  "env": {\n    "A": "1"\n  }\n}\n')
  assert.equal(text(setAt(at('{"env": {}}'), ['env', 'A'], '"1"')), '{"env": {\n  "A": "1"\n}}')
})

test('elements of a list are added once and removed', () => {
  const list = addElement(at('{"permissions":{"deny":["Bash"]}}'), ['permissions', 'deny'], '"WebSearch"')
  assert.equal(text(list), '{"permissions":{"deny":["Bash", "WebSearch"]}}')
  assert.equal(hasElement(list, ['permissions', 'deny'], '"WebSearch"'), true)
  assert.equal(text(removeElement(list, ['permissions', 'deny'], '"WebSearch"')), '{"permissions":{"deny":["Bash"]}}')
  assert.equal(isEmptyAt(at('{"a":{}}'), ['a']), true)
})

test('something that is not an object, or leads through something else, is refused', () => {
  for (const bad of ['[]', '{', 'null', '{"a":1,}']) assert.throws(() => at(bad), /not a JSON object/)
  assert.throws(() => setAt(at('{"env": 1}'), ['env', 'A'], '"1"'), /"env".*not an object/)
  assert.throws(() => addElement(at('{"permissions": {"deny": 1}}'), ['permissions', 'deny'], '"x"'), /not a list/)
})

test('whatever the settings hold, a value that was set is read back and nothing else changes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (settings, indent) => {
      const source = JSON.stringify({ ...settings, env: { OTHER: 'kept' } }, null, indent)
      const changed = setAt(at(source), ['env', 'ANTHROPIC_BASE_URL'], '"https://gw.example.com"')
      assert.equal(rawAt(changed, ['env', 'ANTHROPIC_BASE_URL']), '"https://gw.example.com"')
      const wanted = { ...JSON.parse(source), env: { OTHER: 'kept', ANTHROPIC_BASE_URL: 'https://gw.example.com' } }
      assert.deepEqual(JSON.parse(text(changed)), wanted)
      assert.equal(text(deleteAt(changed, ['env', 'ANTHROPIC_BASE_URL'])), source)
    }),
  )
})
