/** The npm packages of the repository: each declares what it uses, and the product needs nothing that only others use. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { test } from 'node:test'

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly workspaces?: readonly string[]
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly devDependencies?: Versions
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest
}

const product = readManifest('.')
const workspaces = product.workspaces ?? []
const simulator = readManifest('simulator')

/** The npm packages that a file imports, types included: `@scope/name` or `name`. */
function readImports(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const found = source.matchAll(
    /^(?:import|export|\})[^'\n]* from '([^']+)'$|^import '([^']+)'$|\bimport\(\s*'([^']+)'/gm,
  )
  return [...found]
    .map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '')
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
}

function listUndeclared(files: readonly string[], ...declared: readonly (Versions | undefined)[]): string[] {
  const known = new Set(declared.flatMap((versions) => Object.keys(versions ?? {})))
  return files.flatMap((file) =>
    readImports(file)
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name}`),
  )
}

function listShipped(pattern: string): string[] {
  return globSync(pattern, { exclude: ['**/*.test.ts', '**/*.fixture.ts', '**/node_modules/**'] })
}

test('the product imports only packages that are installed with it, and none that only the simulator uses', () => {
  const installed = { ...product.dependencies, ...product.optionalDependencies }
  const own = Object.fromEntries(
    Object.entries(installed).filter(([name]) => !(name in (simulator.dependencies ?? {}))),
  )
  assert.deepEqual(listUndeclared(listShipped('{src,cli,tools/demo}/**/*.ts'), own), [])
})

test('every workspace declares the packages that it imports', () => {
  assert.deepEqual(listUndeclared(listShipped('simulator/**/*.ts'), simulator.dependencies), [])
  for (const folder of workspaces) {
    const { dependencies, devDependencies } = readManifest(folder)
    const files = globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/node_modules/**'] })
    assert.deepEqual(listUndeclared(files, dependencies, devDependencies), [])
  }
})

test('the published package brings what its demo needs, as optional dependencies', () => {
  for (const [name, version] of Object.entries(simulator.dependencies ?? {}))
    assert.equal(product.optionalDependencies?.[name], version, name)
})

test('a package has one version in all manifests', () => {
  const versions = new Map<string, string>()
  for (const manifest of [product, ...workspaces.map(readManifest)])
    for (const [name, version] of [
      manifest.dependencies,
      manifest.optionalDependencies,
      manifest.devDependencies,
    ].flatMap((group) => Object.entries(group ?? {}))) {
      assert.equal(versions.get(name) ?? version, version, name)
      versions.set(name, version)
    }
})
