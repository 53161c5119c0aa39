/** The recipes of CONTRIBUTING.md fit the tree. `test/system/docs/recipes.test.ts` carries them out. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { applyEdit, readRecipes } from './recipes.ts'

test('CONTRIBUTING.md shows how to add everything that is made to be added', () => {
  assert.deepEqual(
    readRecipes().map(({ adds }) => adds),
    ['a search engine', 'a routing strategy', 'a notification destination', 'a loop', 'an error', 'an extension'],
  )
})

for (const { adds, newFiles, edits } of readRecipes())
  test(`the recipe for ${adds} names files and lines that are there`, () => {
    for (const file of newFiles) {
      assert.ok(!existsSync(file.path), `${file.path} is there already`)
      const folder = path.dirname(file.path)
      assert.ok(existsSync(folder) || existsSync(path.dirname(folder)), `${folder} has no place in the tree`)
    }
    for (const edit of edits) applyEdit(readFileSync(edit.path, 'utf8'), edit)
    assert.ok(newFiles.length + edits.length > 0, 'it has no steps')
  })
