/** Documents that say something about the code are held to it. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { generatedPages } from '../tools/docs.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

test('generated pages are current', async () => {
  for (const [file, make] of Object.entries(generatedPages))
    assert.equal(read(file), await make(), `${file} is stale: run "npm run docs"`)
})

const foldersIn = (parent: string): readonly string[] =>
  globSync(`${parent}/*`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

test('ARCHITECTURE.md draws every layer, module and extension on two screens', () => {
  const page = read('ARCHITECTURE.md')
  assert.ok(page.split('\n').length <= 110, 'it has more than 110 lines')
  const drawn = new Set((page.split('```')[1] ?? '').match(/[\w-]+/g))
  const folders = ['src', 'src/modules', 'src/extensions', 'src/foundation'].flatMap(foldersIn)
  assert.deepEqual(
    folders.filter((folder) => !drawn.has(folder)),
    [],
  )
})

test('the changelog has a heading for the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.match(read('CHANGELOG.md'), new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\]`, 'm'))
})

test('links between documents lead somewhere', () => {
  const broken: string[] = []
  for (const file of globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'bench/*.md', 'simulator/*.md'])) {
    for (const [, target = ''] of read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      if (!existsSync(path.join(path.dirname(file), target))) broken.push(`${file} -> ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('every command that the papers name exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const unknown: string[] = []
  for (const file of globSync(['*.md', 'docs/**/*.md', 'bench/*.md', 'simulator/*.md']))
    for (const [, name = ''] of read(file).matchAll(/npm run ([\w:-]+)/g))
      if (scripts[name] === undefined) unknown.push(`${file}: ${name}`)
  assert.deepEqual(unknown, [])
})

test('every catch that lets work go on names a row of the failure modes', () => {
  const rows = new Set([...read('docs/failure-modes.md').matchAll(/^\| ([^|]+?) \|/gm)].map(([, row = '']) => row))
  const unknown: string[] = []
  for (const file of globSync('src/**/*.ts'))
    for (const [, row = ''] of read(file).matchAll(/failure-modes: ([a-zA-Z][\w' -]*\w)/g))
      if (!rows.has(row)) unknown.push(`${file}: ${row}`)
  assert.deepEqual(unknown, [])
})

test('nothing in the repository speaks of plans, tickets or places', () => {
  const forbidden = /\b(TODO|FIXME|XXX)\b|\bissue #?\d+\b|\bslice \d\b|\/(?:work|root|farm)\/[a-z]/i
  const files = globSync(['*.md', '{src,cli,simulator,test,tools,bench,docs}/**/*.{ts,md,json}'])
  const found = files.filter((file) => file !== 'test/docs.test.ts' && forbidden.test(read(file)))
  assert.deepEqual(found, [])
})
