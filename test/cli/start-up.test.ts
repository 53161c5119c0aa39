/** How little a command loads. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'

const MOST_MODULES = 60
const home = mkdtempSync(join(tmpdir(), 'causeway-start-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** Reports the modules that a process has loaded when it ends. */
const reporter = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  const loaded = []
  registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) loaded.push(url); return next(url, context) } })
  process.on('exit', () => {
    writeSync(3, JSON.stringify({ loaded }))
  })`)}`

interface Report {
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

for (const args of [['--version'], ['--help'], ['keys', '--help'], ['mcp', '--help']])
  test(`causeway ${args.join(' ')} loads less than ${MOST_MODULES} modules, and of the gateway only small helpers`, async (context) => {
    const { loaded } = await run(args)
    context.diagnostic(`${loaded.length} modules`)
    assert.ok(loaded.length > 0 && loaded.length < MOST_MODULES, loaded.join('\n'))
    assert.deepEqual(
      loaded.filter((url) => /\/src\/(?!foundation\/platform\/)|\/node_modules\/(?!commander\/)/.test(url)),
      [],
    )
  })

test('a command loads its own module and none of the others', async () => {
  const folders = ({ loaded }: Report): readonly string[] => {
    const found = loaded
      .filter((url) => !url.endsWith('/extension.ts'))
      .map((url) => /\/cli\/((?:modules|extensions)\/[\w-]+)\//.exec(url)?.[1])
    return [...new Set(found.filter((folder) => folder !== undefined))]
  }
  assert.deepEqual(folders(await run(['--help'])), [])
  assert.deepEqual(folders(await run(['keys', '--help'])), ['modules/keys'])
})
