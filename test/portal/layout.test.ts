/** How the portal is laid out: the same subjects as in `src`, explicit lists, and extensions that nobody else knows. */
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const portal = 'portal/src'

const folders = (parent: string): string[] => readdirSync(parent).filter((name) => !name.includes('.'))
const read = (file: string): string => readFileSync(file, 'utf8')

/** What a file imports of this repository, for types or later too. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)
  return [...found].map(([, specifier = '']) => path.posix.join(path.posix.dirname(file), specifier))
}

test('folders have the names of modules and extensions of the gateway', () => {
  for (const kind of ['modules', 'extensions']) {
    const known = folders(`src/${kind}`)
    assert.deepEqual(
      folders(`${portal}/${kind}`).filter((name) => !known.includes(name)),
      [],
    )
  }
})

test('the list of pages names every module', () => {
  const listed = importsOf(`${portal}/app/core-pages.ts`).map((file) => file.split('/')[3])
  assert.deepEqual(
    folders(`${portal}/modules`).filter((name) => !listed.includes(name)),
    [],
  )
})

test('every page and every extension is in a list', () => {
  const lists = ['core-pages', 'extensions'].flatMap((name) => importsOf(`${portal}/app/${name}.ts`))
  const extensions = globSync(`${portal}/extensions/*/extension.ts`)
  assert.deepEqual(
    folders(`${portal}/extensions`).map((name) => `${portal}/extensions/${name}/extension.ts`),
    extensions.toSorted(),
  )
  const listed = [...lists, ...extensions.flatMap(importsOf)]
  const known = [...extensions, ...globSync(`${portal}/**/*.page.ts`)]
  assert.deepEqual(
    known.filter((file) => !listed.includes(file)),
    [],
  )
})

test('only the list knows extensions, and they do not know each other', () => {
  const extensionOf = (file: string): string | undefined => /\/extensions\/([^/]+)\//.exec(file)?.[1]
  const broken = globSync(`${portal}/**/*.{ts,tsx}`)
    .filter((file) => file !== `${portal}/app/extensions.ts`)
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => extensionOf(target) !== undefined && extensionOf(target) !== extensionOf(file))
        .map((target) => `${file} -> ${target}`),
    )
  assert.deepEqual(broken, [])
})
