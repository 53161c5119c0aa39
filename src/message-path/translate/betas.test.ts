import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../foundation/domain/errors.ts'
import { collectBetas, parseBetaHeader } from './betas.ts'

test('the header is a comma list that may repeat, with or without spaces', () => {
  assert.deepEqual(parseBetaHeader(undefined), [])
  assert.deepEqual(parseBetaHeader(' a ,b,,c '), ['a', 'b', 'c'])
  assert.deepEqual(parseBetaHeader(['a,b', 'c']), ['a', 'b', 'c'])
})

test('each beta is sent once, header first, the long context last', () => {
  assert.deepEqual(collectBetas(['a', 'b'], ['b', 'c', ''], true), ['a', 'b', 'c', 'context-1m-2025-08-07'])
  assert.deepEqual(collectBetas(['context-1m-2025-08-07'], [], true), ['context-1m-2025-08-07'])
})

test('refuses more betas, and longer ones, than any client sends', () => {
  const many = Array.from({ length: 129 }, (_, index) => `beta-${index}`)
  assert.throws(() => collectBetas(many, [], false), Problem)
  assert.throws(() => collectBetas([], ['x'.repeat(129)], false), Problem)
  assert.equal(collectBetas(many.slice(1), [], false).length, 128)
})
