/**
 * Runs the tests against one real Postgres: the one in TEST_DATABASE_URL, or an embedded one started here.
 * `--system` runs the long ones instead (browsers, many processes, long faults), which would make the everyday run too slow.
 * `--speed` runs the ones that measure time. They need a quiet machine, so CI does not run them.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { defined } from '../src/foundation/platform/defined.ts'
import { chromiumPath } from '../test/sign-in/browser.ts'
import { startTestPostgres } from '../test/support/database.ts'
import { buildPortal } from './portal/build.ts'
import { roomyFolder } from './tests/roomy-folder.ts'
import { groupFiles } from './tests/together.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'boolean', default: false },
    system: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
  },
})

const all = '{src,simulator,cli,portal,test}/**/*.test.ts'
const system = 'test/system/**/*.test.ts'
const speed = '**/*.speed.test.ts'
const installed = '**/node_modules/**'

const isEveryday = !values.system && !values.speed && positionals.length === 0
/** Generous, because these end only what hangs: a machine that is three times slower must pass. */
const timeoutMs = { file: 1_200_000, group: 2_400_000 } as const

function testFiles(): readonly string[] {
  if (positionals.length > 0) return positionals
  if (values.speed) return globSync(speed, { exclude: [installed] })
  if (values.system) return globSync(system, { exclude: [speed] })
  return globSync(all, { exclude: [system, speed, installed] })
}

/** Files that are named run alone, and so do those that start processes of their own. */
function inGroups(files: readonly string[]): readonly string[] {
  if (isEveryday) return groupFiles(files, 14, timeoutMs.file)
  if (!values.system) return files
  const inBrowser = files.filter((file) => file.startsWith('test/system/portal/'))
  return [...groupFiles(inBrowser, 4, timeoutMs.file), ...files.filter((file) => !inBrowser.includes(file))]
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
  if (!values.only && isEveryday)
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
    console.log('— tests')
    const env = {
      // Without it every process would strip and compile the same sources again.
      NODE_COMPILE_CACHE: 'node_modules/.cache/node',
      ...process.env,
      ...defined({ TEST_DATABASE_URL: server?.url }),
    }
    const files = testFiles()
    return await runTests(inGroups(files), env)
  } finally {
    await server?.stop()
  }
}

function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // More at a time than there are cores: many tests wait for a poll, a pause or a process. What measures time runs alone.
  const atOnce = files.some((file) => file.endsWith('.speed.test.ts')) ? 1 : values.system ? 4 : 3
  return run(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${timeoutMs.group}`,
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
