import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('{docs,deploy,bench,portal}/**/*.md', { exclude: ['**/node_modules/**'] }),
]

test('every link between pages leads to a file, and every page of the guides is in the list', () => {
  const broken = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  assert.deepEqual(broken, [])
  const list = readFileSync('docs/README.md', 'utf8')
  for (const page of globSync('docs/{start,guides}/*.md'))
    assert.ok(list.includes(page.slice('docs/'.length)), `${page} is not in docs/README.md`)
})
