/** An extension is removed with its folders and one line in each list: what is left type-checks, starts and passes its tests. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { groupFiles } from '../../../tools/tests/together.ts'
import { copyTree, extensionNames, removeExtension } from './tree-copy.ts'

/**
 * The tests that know the whole product: its layers and lists, its documents, and the assembled gateway against its description.
 * All of them would take six minutes for each extension.
 */
const coreTests = [
  'portal/src/app/page-paths.test.ts',
  'test/app/coverage.test.ts',
  'test/app/description.test.ts',
  'test/architecture.test.ts',
  'test/cli/layout.test.ts',
  'test/docs/links.test.ts',
  'test/docs/paths.test.ts',
  'test/docs/recipes.test.ts',
  // Not `test/docs/named-things.test.ts`: guides are written by hand, and name commands and routes of the extension until somebody
  // edits them.
  'test/packages.test.ts',
  'test/portal/layout.test.ts',
  'test/readmes.test.ts',
]
/** These ask every route, and look at every command: once, where all extensions are gone. */
const widerTests = ['test/app/every-route.test.ts', 'test/cli/commands.test.ts', 'test/cli/start-up.test.ts']

/** Ends only what hangs. */
const TIMEOUT_MS = 1_200_000
/** Where TypeScript keeps what it found, for each of the two projects. */
const buildInfos = { '.': '.tsbuildinfo', portal: 'portal/.tsbuildinfo' } as const
const COMPILED = '.compiled'
const root = mkdtempSync(path.join(tmpdir(), 'causeway-removal-'))
const whole = path.join(root, 'whole')

/** What a program of the copy says when it fails; nothing when it does not. */
function findComplaint(cwd: string, program: string, args: readonly string[]): Promise<string> {
  // Within a run of tests, another one would say nothing: `NODE_TEST_CONTEXT` tells it.
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const env = { ...rest, NODE_COMPILE_CACHE: path.join(cwd, COMPILED), NODE_COMPILE_CACHE_PORTABLE: '1' }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, maxBuffer: 2 ** 26, timeout: TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve(error === null ? '' : `${program} ${args.join(' ')}\n${stdout}${stderr}`),
    )
  })
}

/** Knows what the last check in this folder, or in one beside it, has found. One thread does less work than several that share it. */
async function requireTypes(copy: string, project: keyof typeof buildInfos): Promise<void> {
  const tsc = path.resolve('node_modules/.bin/tsc')
  const flags = ['--singleThreaded', '--incremental', '--tsBuildInfoFile', buildInfos[project]]
  assert.equal(await findComplaint(copy, tsc, ['-p', project, ...flags]), '')
}

/** The reference pages, the API description and the types of the portal follow, as after every change. */
async function makeReferences(copy: string): Promise<void> {
  assert.equal(await findComplaint(copy, process.execPath, ['tools/docs.ts']), '')
}

/** In one process: most of the work is to load the gateway. */
async function requireTests(copy: string, files: readonly string[]): Promise<void> {
  const paths = files.map((file) => path.join(copy, file))
  const together = groupFiles(paths, paths.length, TIMEOUT_MS)
  const flags = ['--test', '--test-force-exit', '--test-reporter=dot', '--import=./test/support/whole-report.ts']
  assert.equal(await findComplaint(copy, process.execPath, [...flags, ...together]), '')
}

async function copyWithout(name: string, removed: readonly string[]): Promise<string> {
  const copy = path.join(root, name)
  copyTree(copy)
  // What was found and compiled for the whole tree holds for what is left of it.
  for (const known of [...Object.values(buildInfos), COMPILED])
    cpSync(path.join(whole, known), path.join(copy, known), { recursive: true })
  for (const extension of removed) removeExtension(copy, extension)
  await makeReferences(copy)
  await requireTypes(copy, '.')
  await requireTypes(copy, 'portal')
  return copy
}

// Each group of tests is removed when this process ends.
process.setMaxListeners(extensionNames.length + process.getMaxListeners())

describe('the product without', { concurrency: 2 }, () => {
  before(async () => {
    copyTree(whole)
    await Promise.all([requireTypes(whole, '.'), requireTypes(whole, 'portal').then(() => makeReferences(whole))])
  })

  after(() => rmSync(root, { recursive: true, force: true }))

  test('all extensions', async () => {
    assert.ok(extensionNames.includes('scim') && extensionNames.includes('mcp'), extensionNames.join())
    const copy = await copyWithout('all', extensionNames)
    assert.equal(await findComplaint(copy, process.execPath, ['tools/portal/build.ts']), '')
    await requireTests(copy, [...coreTests, ...widerTests])
  })

  for (const name of extensionNames)
    test(name, async () => {
      const copy = await copyWithout(name, [name])
      await requireTests(copy, coreTests)
    })
})
