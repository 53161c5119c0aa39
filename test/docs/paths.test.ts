/** Whoever follows a path in a document finds the file. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const documents = globSync('**/*.md', { exclude: ['**/node_modules/**', 'CHANGELOG.md'] })

/** Every extension is named in two places, also one whose folders are gone. */
const extensions = new Set(
  [/^src\/extensions[^(]*/m, /^`cli\/extensions`.*/m].flatMap(
    (place) => place.exec(readFileSync('ARCHITECTURE.md', 'utf8'))?.[0].match(/[a-z][\w-]*/g) ?? [],
  ),
)

/** From the root of the repository, as all documents write them. `*` and `{a,b}` match as in a shell. */
const rooted =
  /(?<![\w./{:@-])((?:bench|bin|cli|deploy|docs|portal|simulator|src|test|tools)\/[\w.@-]*[\w./*{},@-]*[\w*}/])/g

/** Not files of the repository: what a build makes, and the simulator's sample credentials, which contain slashes. */
const others = ['portal/dist', 'simulator/secret/']

/** An extension can be deleted with its folders; documents may go on naming it. */
const extensionOf = (named: string): string | undefined =>
  /^(?:(?:src|cli|portal\/src)\/extensions|test(?:\/system)?)\/([\w-]+)/.exec(named)?.[1]

const isRemoved = (extension: string | undefined): boolean =>
  extension !== undefined &&
  extensions.has(extension) &&
  ['src', 'cli', 'portal/src'].every((part) => !existsSync(`${part}/extensions/${extension}`))

function findMissing(document: string): readonly string[] {
  const folder = path.dirname(document)
  // A recipe names the file that it makes.
  const text = readFileSync(document, 'utf8').replaceAll(/^Create `[^`]+`/gm, '')
  return [...text.matchAll(rooted)]
    .map(([, named = '']) => named)
    .filter((named) => !others.some((other) => named.startsWith(other)))
    .filter((named) => !isRemoved(extensionOf(named)))
    .filter((named) => globSync(named).length === 0 && !existsSync(named) && !existsSync(path.join(folder, named)))
    .map((named) => `${document}: ${named}`)
}

test('the extensions are found where they are named', () => {
  const folders = globSync('{src,cli}/extensions/*').map((folder) => path.basename(folder))
  assert.deepEqual(
    folders.filter((name) => !extensions.has(name)),
    [],
  )
})

test('every path that a document names leads to a file or a folder', () => {
  assert.ok(documents.length > 60, `only ${documents.length} documents were found`)
  assert.deepEqual(documents.flatMap(findMissing), [])
})
