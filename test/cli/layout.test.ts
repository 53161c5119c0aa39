/** Where commands lie: under the names that `src` uses, and without knowing what is above them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

/** Folders without one of the same name in `src`, and why. */
const cliOnly: Readonly<Record<string, string>> = {
  'cli/modules/coding-client': 'sets up the program on this machine; the gateway has no part in it',
  'cli/extensions/mcp': 'offers commands to an assistant',
  'cli/extensions/gateway-file': 'compares a file with what the routes of all modules answer',
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

test('every folder has a name that src uses, or a reason', () => {
  const folders = ['modules', 'extensions'].flatMap((kind) => {
    const known = foldersIn(`src/${kind}`)
    return foldersIn(`cli/${kind}`).flatMap((name) => (known.includes(name) ? [] : [`cli/${kind}/${name}`]))
  })
  assert.deepEqual(
    folders.filter((folder) => cliOnly[folder] === undefined),
    [],
  )
})

test('the list of commands names every module', () => {
  const listed = readImports('cli/app/module-commands.ts').map((file) => file.split('/')[2])
  assert.deepEqual(
    foldersIn('cli/modules').filter((name) => !listed.includes(name)),
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
