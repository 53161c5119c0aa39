/** Builds the portal into portal/dist, unless the same inputs were built already. Needs no Vite when the files are there. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = path.resolve(import.meta.dirname, '../..')
const portal = path.join(root, 'portal')
const dist = path.join(portal, 'dist')
const stampFile = path.join(dist, 'inputs.sha256')

/** Whatever can change the result: sources, settings, this file, and the libraries as they are locked. */
function inputsHash(): string {
  const files = [
    ...globSync('portal/src/**', { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(test|fixture)\./.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
    ...['portal/index.html', 'portal/vite.config.ts', 'package-lock.json', 'tools/portal/build.ts'].map((file) =>
      path.join(root, file),
    ),
  ].sort()
  const hash = createHash('sha256')
  for (const file of new Set(files))
    hash
      .update(path.relative(root, file))
      .update('\0')
      .update(existsSync(file) ? readFileSync(file) : '')
      .update('\0')
  return hash.digest('hex')
}

export interface BuildResult {
  readonly kind: 'built' | 'current' | 'shipped'
}

export async function buildPortal(): Promise<BuildResult> {
  // An installed package carries the built files and not their sources.
  if (!existsSync(path.join(portal, 'vite.config.ts'))) {
    if (!existsSync(stampFile)) throw new Error('portal/dist is missing and there are no sources to build it from.')
    return { kind: 'shipped' }
  }
  const wanted = inputsHash()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return { kind: 'current' }
  const fresh = path.join(portal, `.dist-${process.pid}`)
  try {
    const { build } = await import('vite')
    await build({
      root: portal,
      configFile: path.join(portal, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true, manifest: true },
    })
    addBootScript(fresh)
    addFontHint(fresh)
    compressAll(path.join(fresh, 'assets'))
    writeFileSync(path.join(fresh, 'inputs.sha256'), wanted)
    putInPlace(fresh)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return { kind: 'built' }
}

/** What must run before the application is there: a module would run after the first paint, and the policy of the page forbids inline code. */
function addBootScript(folder: string): void {
  const source = readFileSync(path.join(portal, 'src/app/boot.js'), 'utf8').replace('__PAGE_FILES__', () =>
    JSON.stringify(pageFiles(folder)),
  )
  const name = `boot-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
  mkdirSync(path.join(folder, 'assets'), { recursive: true })
  writeFileSync(path.join(folder, 'assets', name), source)
  const page = path.join(folder, 'index.html')
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace('<!-- boot -->', () => `<script src="/portal/assets/${name}"></script>`),
  )
}

interface ManifestEntry {
  readonly file: string
  readonly imports?: readonly string[]
}

/** For each page the names of its files and where they stand in it, beside those that every page loads. */
function pageFiles(folder: string): { readonly files: readonly string[]; readonly pages: Record<string, number[]> } {
  const manifestFile = path.join(folder, '.vite/manifest.json')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Readonly<Record<string, ManifestEntry>>
  rmSync(path.dirname(manifestFile), { recursive: true })
  const collectFiles = (key: string, seen = new Set<string>()): Set<string> => {
    const entry = manifest[key]
    if (entry === undefined || seen.has(entry.file)) return seen
    seen.add(entry.file)
    for (const imported of entry.imports ?? []) collectFiles(imported, seen)
    return seen
  }
  const shell = readFileSync(path.join(folder, 'index.html'), 'utf8')
  const first = new Set([...shell.matchAll(/\/portal\/(assets\/[\w.-]+\.js)/g)].map(([, name = '']) => name))
  if (first.size === 0) throw new Error('the page names no script')
  const placed = placedModules()
  const files: string[] = []
  const pages: Record<string, number[]> = {}
  for (const file of globSync('src/**/*.page.ts', { cwd: portal }).sort()) {
    const text = readFileSync(path.join(portal, file), 'utf8')
    const address = /path: '([^']+)'/.exec(text)?.[1]
    const module = /import\('\.\/([^']+)'\)/.exec(text)?.[1]
    if (address === undefined || module === undefined) throw new Error(`${file} does not say what it loads and where`)
    const slots = /slots: \[([^\]]*)\]/.exec(text)?.[1]?.split(', ') ?? []
    const modules = [path.posix.join(path.dirname(file), module), ...slots.flatMap((slot) => placed.get(slot) ?? [])]
    const own = [...new Set(modules.flatMap((key) => [...collectFiles(key)]))].filter((name) => !first.has(name))
    if (own.length === 0) throw new Error(`${file}: nothing was built for it`)
    for (const name of own) if (!files.includes(name)) files.push(name)
    pages[address] = own.map((name) => files.indexOf(name))
  }
  return { files: files.map((name) => path.basename(name)), pages }
}

/** For each slot the modules that extensions put there. */
function placedModules(): ReadonlyMap<string, readonly string[]> {
  const placed = new Map<string, string[]>()
  for (const file of globSync('src/extensions/*/extension.ts', { cwd: portal }).sort())
    for (const [, slot = '', module = ''] of readFileSync(path.join(portal, file), 'utf8').matchAll(
      /fill\(\s*(\w+),\s*async \(\) => \(await import\('\.\/([^']+)'\)/g,
    ))
      placed.set(slot, [...(placed.get(slot) ?? []), path.posix.join(path.dirname(file), module)])
  return placed
}

/** The font is known before the style that names it is read: text is then drawn once, in its own letters. */
function addFontHint(folder: string): void {
  const page = path.join(folder, 'index.html')
  const hints = readdirSync(path.join(folder, 'assets'))
    .filter((name) => name.endsWith('.woff2'))
    .map((name) => `<link rel="preload" href="/portal/assets/${name}" as="font" type="font/woff2" crossorigin>`)
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace('</title>', (end) => `${end}\n    ${hints.join('\n    ')}`),
  )
}

function compressAll(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg|json)$/.test(name)) continue
    const body = readFileSync(path.join(folder, name))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(body, { params: quality }))
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(body, { level: 9 }))
  }
}

/** Two builds at once, or a gateway that reads meanwhile, never meet a half-written folder. */
function putInPlace(fresh: string): void {
  const old = path.join(portal, `.dist-${process.pid}-old`)
  try {
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(fresh, dist)
  } finally {
    rmSync(old, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const startedMs = performance.now()
  const { kind } = await buildPortal()
  const elapsedMs = Math.round(performance.now() - startedMs)
  if (kind === 'built') {
    const { checkSizes, sizeReport } = await import('./check-size.ts')
    console.log(`Portal built in ${(elapsedMs / 1000).toFixed(1)} s\n${sizeReport()}`)
    const broken = checkSizes()
    for (const line of broken) console.error(line)
    if (broken.length > 0) process.exitCode = 1
  } else if (process.argv.includes('--verbose')) console.log(`Portal is ${kind} (${elapsedMs} ms)`)
}
