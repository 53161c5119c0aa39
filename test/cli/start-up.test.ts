/** How fast a command is, and how little it loads. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { compile } from '../../tools/build.ts'

const LIMIT_MS = 200
const home = mkdtempSync(join(tmpdir(), 'causeway-start-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** Reports when the process ends: the processor time it took, and the modules of ours that it has loaded. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  const loaded = []
  registerHooks({ load: (url, context, next) => { if (url.includes('/cli/')) loaded.push(url); return next(url, context) } })
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1000, loaded }))
  })`)}`

interface Report {
  readonly cpuMs: number
  readonly loaded: readonly string[]
}

async function run(args: readonly string[]): Promise<Report> {
  const child = spawn(process.execPath, ['--import', reporter, 'cli/main.ts', ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: home, NODE_COMPILE_CACHE: join(home, 'cache') },
  })
  const pipe = child.stdio[3] as NodeJS.ReadableStream
  return JSON.parse(await text(pipe)) as Report
}

for (const args of [['--version'], ['--help'], ['keys', '--help']])
  test(`causeway ${args.join(' ')} takes less than ${LIMIT_MS} ms`, async () => {
    // Processor time, the best of several: on a busy machine the clock on the wall tells of others.
    const reports: Report[] = []
    for (let round = 0; round < 5; round++) reports.push(await run(args))
    const best = Math.min(...reports.map(({ cpuMs }) => cpuMs))
    assert.ok(best < LIMIT_MS, `${best} ms`)
  })

test('a command loads its own module and none of the others', async () => {
  const nouns = ({ loaded }: Report): readonly string[] =>
    loaded.map((url) => /\/cli\/commands\/([\w-]+)\./.exec(url)?.[1]).filter((name) => name !== undefined)
  assert.deepEqual(nouns(await run(['--help'])), [])
  assert.deepEqual(nouns(await run(['keys', '--help'])), ['keys'])
})

test('compiling keeps every position and leads imports to compiled files', () => {
  const source =
    "import type { A } from './a.ts'\nimport { b } from '../b.ts'\nconst x: A = b as A\nawait import('./c.ts')\nconst name = 'demo.ts'\n"
  const compiled = compile(source)
  assert.equal(compiled.length, source.length)
  assert.equal(compiled.split('\n')[1], "import { b } from '../b.js'")
  assert.equal(compiled.split('\n')[3], "await import('./c.js')")
  assert.equal(compiled.split('\n')[4], "const name = 'demo.ts'")
  assert.equal(compiled.indexOf('= b'), source.indexOf('= b'))
})
