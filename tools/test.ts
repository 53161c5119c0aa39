/**
 * Runs the tests against one real Postgres: the one in TEST_DATABASE_URL, or an embedded one started here.
 * `--system` runs the long ones instead (browsers, many processes, long faults), which would make the everyday run too slow.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromiumPath } from '../test/login/browser.ts'
import { startTestPostgres } from '../test/support/database.ts'
import { buildPortal } from './portal/build.ts'
import { roomyFolder } from './tests/roomy-folder.ts'
import { groupFiles } from './tests/together.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'boolean', default: false }, system: { type: 'boolean', default: false } },
})

const everyday = ['{src,simulator,cli,portal,test}/**/*.test.ts']
const system = 'test/system/**/*.test.ts'

const isLong = values.system || positionals.some((file) => file.startsWith('test/system/'))
/** The long ones are processes and browsers of their own, and files that are named are run as they are. */
const isGrouped = !values.system && positionals.length === 0
/** Of one file, or of a group of them. */
const timeoutMs = { file: isLong ? 600_000 : 180_000, group: 600_000 } as const

function testFiles(): readonly string[] {
  if (positionals.length > 0) return positionals
  return values.system ? globSync(system) : globSync(everyday, { exclude: [system, '**/node_modules/**'] })
}

const steps: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['lint and format', 'biome', ['check', '.']],
  ['types', 'tsc', []],
  ['types of the portal', 'tsc', ['-p', 'portal']],
]

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function main(): Promise<number> {
  if (!values.only && !values.system && positionals.length === 0)
    for (const code of await Promise.all(
      steps.map(([name, command, args]) => {
        console.log(`— ${name}`)
        return run(command, args)
      }),
    ))
      if (code !== 0) return code
  // Pages that the gateway serves are part of what is tested; unchanged sources are not built again.
  await buildPortal()
  const server =
    process.env['TEST_DATABASE_URL'] === undefined ? await startTestPostgres(await roomyFolder()) : undefined
  try {
    if (chromiumPath === undefined)
      console.log(
        '\n!! No Chromium was found: BROWSER TESTS DO NOT RUN. Install the package "chromium-headless-shell" or "chromium".\n',
      )
    // Three at a time on two cores: many tests wait for a poll, a pause or a process.
    console.log('— tests')
    const env = {
      // Without it every process would strip and compile the same sources again.
      NODE_COMPILE_CACHE: 'node_modules/.cache/node',
      ...process.env,
      ...(server === undefined ? {} : { TEST_DATABASE_URL: server.url }),
    }
    const files = testFiles()
    const measured = files.filter((file) => file.endsWith('.speed.test.ts'))
    const others = files.filter((file) => !measured.includes(file))
    const code =
      others.length === 0 ? 0 : await runTests(isGrouped ? groupFiles(others, timeoutMs.file) : others, 3, env)
    // Alone: what others take of the machine at the same time is not the time of what is measured.
    return measured.length === 0 ? code : Math.max(code, await runTests(measured, 1, env))
  } finally {
    await server?.stop()
  }
}

function runTests(files: readonly string[], atOnce: number, env: NodeJS.ProcessEnv): Promise<number> {
  return run(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${isGrouped ? timeoutMs.group : timeoutMs.file}`,
      '--test-reporter=spec',
      // A failed test may leave servers open, which would keep its process and the whole run alive for ever.
      '--test-force-exit',
      '--import=./test/support/whole-report.ts',
      ...files,
    ],
    env,
  )
}

process.exit(await main())
