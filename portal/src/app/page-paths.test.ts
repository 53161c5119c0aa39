import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const folder = path.resolve(import.meta.dirname, '..')

/** The pages are read as text, since only the bundler can import them all. */
function readValues(field: string): string[] {
  return globSync('**/*.page.ts', { cwd: folder }).flatMap((file) => {
    const found = new RegExp(`^  ${field}: '([^']+)'`, 'm').exec(readFileSync(path.join(folder, file), 'utf8'))
    return found?.[1] === undefined ? [] : [found[1]]
  })
}

test('no two pages have the same address, for which the router would refuse to start', () => {
  const paths = readValues('path')
  assert.ok(paths.length > 20)
  assert.deepEqual(paths.toSorted(), [...new Set(paths)].toSorted())
})

test('no two pages have the same shortcut', () => {
  const letters = readValues('shortcut')
  assert.deepEqual(letters.toSorted(), [...new Set(letters)].toSorted())
})
