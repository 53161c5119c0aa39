import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPortablePattern } from './portable-pattern.ts'

test('a portable pattern accepts the same characters, but for surrogates and what lies beyond U+FFFF', () => {
  for (const category of ['Cc', 'Cf', 'Cs', 'Zl', 'Zp']) {
    const written = `^[^a\\p{${category}}]$`
    const portable = toPortablePattern(written)
    assert.doesNotMatch(portable, /\\p/)
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code)
      if (code >= 0xd800 && code <= 0xdfff) continue
      assert.equal(
        new RegExp(portable, 'u').test(character),
        new RegExp(written, 'u').test(character),
        `U+${code.toString(16)}`,
      )
    }
  }
})

test('a category without known ranges is an error, not a pattern that means something else', () => {
  assert.throws(() => toPortablePattern('^\\p{L}$'), /category L/)
})
