/** Where commands lie: under the names that `src` uses, and without knowing what is above them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

/** What only the command line has, or what `src` keeps inside a module. */
const cliOnly = {
  modules: ['coding-client'],
  extensions: ['mcp', 'gateway-file', 'saved-views', 'what-if', 'budget-simulation'],
}

/** Lowest first. A folder may import from those before it. */
const layers = ['terminal', 'output', 'profile', 'client', 'command', 'modules', 'extensions', 'app', 'main.ts']

const shipped = globSync('cli/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

function foldersIn(parent: string): readonly string[] {
  return globSync(`${parent}/*/`).map((folder) => path.basename(folder))
}

function readImports(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, target = '']) => path.posix.join(path.posix.dirname(file), target))
    .filter((target) => target.startsWith('cli/'))
}

for (const kind of ['modules', 'extensions'] as const)
  test(`every folder in cli/${kind} has a name that src uses`, () => {
    const known = new Set([...foldersIn(`src/${kind}`), ...cliOnly[kind]])
    assert.deepEqual(
      foldersIn(`cli/${kind}`).filter((name) => !known.has(name)),
      [],
    )
  })

test('nothing in cli imports upward, and modules do not know each other', () => {
  const ownerOf = (file: string): string => file.split('/').slice(0, 3).join('/')
  const rankOf = (file: string): number => layers.indexOf(file.split('/')[1] ?? '')
  const imports = shipped.flatMap((file) => readImports(file).map((target) => ({ file, target })))
  assert.ok(shipped.every((file) => rankOf(file) >= 0))
  assert.deepEqual(
    imports.filter(
      ({ file, target }) =>
        rankOf(target) > rankOf(file) ||
        (target.startsWith('cli/modules/') && file.startsWith('cli/modules/') && ownerOf(target) !== ownerOf(file)),
    ),
    [],
  )
})

test('an extension is named in one line and nowhere else, so that its folder and this line remove it', () => {
  for (const name of foldersIn('cli/extensions')) {
    const folder = `cli/extensions/${name}/`
    const importers = shipped.filter(
      (file) => !file.startsWith(folder) && readImports(file).some((target) => target.startsWith(folder)),
    )
    assert.deepEqual(importers, ['cli/app/extensions.ts'], name)
    const lines = readFileSync('cli/app/extensions.ts', 'utf8').split('\n')
    assert.equal(lines.filter((line) => line.includes(`/extensions/${name}/`)).length, 1, name)
  }
})
