/** `npm run build`: compiles the sources to `dist`, a mirror of the project that runs where Node strips no types. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'

/** What a published package needs: the gateway, the command line, and the demo with its simulator. */
const compiled = ['src/**/*.ts', 'cli/**/*.ts', 'simulator/**/*.ts', 'tools/demo.ts', 'tools/demo/**/*.ts']
const copied = ['{src,cli,simulator}/**/*.{json,sh,ps1,awk,css,js,html,svg,woff2,sql,txt}', 'portal/dist/**/*.*']
const leftOut = [
  '**/*.test.ts',
  '**/*.d.ts',
  '**/*.fixture.ts',
  '**/golden/**',
  '**/package.json',
  '**/node_modules/**',
]

/** Types become blanks and `.ts` becomes `.js`, both of the same length: every position in a stack trace stays true. */
export function compile(source: string): string {
  return stripTypeScriptTypes(source).replace(/(['"`])(\.{1,2}\/[^'"`\n]*)\.ts\1/g, '$1$2.js$1')
}

function buildInto(folder: string): number {
  rmSync(folder, { recursive: true, force: true })
  const sources = globSync(compiled, { exclude: leftOut })
  for (const file of sources) write(folder, file.replace(/\.ts$/, '.js'), compile(readFileSync(file, 'utf8')))
  for (const file of globSync(copied, { exclude: leftOut })) {
    const target = path.join(folder, file)
    mkdirSync(path.dirname(target), { recursive: true })
    copyFileSync(file, target)
  }
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string; version: string }
  // The gateway reads its version beside its sources.
  write(folder, 'package.json', `${JSON.stringify({ name, version, type: 'module' }, null, 2)}\n`)
  return sources.length
}

function write(folder: string, file: string, text: string): void {
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
}

function buildPortal(): void {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  if (scripts['build:portal'] === undefined) return
  const { status } = spawnSync('npm', ['run', '--silent', 'build:portal'], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('the portal could not be built')
}

if (import.meta.main) {
  buildPortal()
  // On standard error: `npm pack --json` must print nothing but its JSON.
  console.error(`compiled ${buildInto('dist')} files to dist`)
}
