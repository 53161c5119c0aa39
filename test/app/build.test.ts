/** The bundle that `npm start`, the package and the image run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { buildInto } from '../../tools/build.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { untilReady } from '../support/gateway.ts'
import { spawnGateway } from '../support/gateway-process.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'causeway-build-'))
const dist = join(folder, 'dist')
const program = join(dist, 'cli/main.js')

let stored: TestDatabase

before(async () => {
  stored = await createTestDatabase()
  assert.deepEqual(await buildInto(dist), { kind: 'built' })
})

after(async () => {
  await stored?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('the same inputs are built once', async () => {
  assert.deepEqual(await buildInto(dist), { kind: 'current' })
  writeFileSync(join(dist, 'inputs.sha256'), 'of other sources')
  assert.deepEqual(await buildInto(dist), { kind: 'built' })
})

test('the gateway starts without a single package, and finds the files that it serves', async () => {
  // There are no node_modules at or above the build: whatever is imported from one would end the start.
  const environment = {
    DATABASE_URL: stored.url,
    SPEND_JOURNAL_DIR: join(folder, 'journal'),
    DATA_DIR: join(folder, 'data'),
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  }
  const gateway = spawnGateway(environment, { program: [program, 'serve'] })
  try {
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url)
    const served = async (path: string): Promise<string> => (await fetch(url + path)).text()
    assert.match(await served('/auth/setup'), /^#!\/bin\/sh/)
    assert.equal(await served('/portal/notice.css'), readFileSync('src/foundation/http/notice.css', 'utf8'))
  } finally {
    gateway.kill('SIGTERM')
    assert.equal(await gateway.exited, 0, gateway.output())
  }
})

test('a stack trace names the TypeScript source', async () => {
  const source = readFileSync('cli/app/serve.ts', 'utf8').split('\n')
  const line = source.findIndex((text) => text.includes("process.removeAllListeners('SIGINT')")) + 1
  const tell = 'process.removeAllListeners = () => { console.log(new Error("told").stack); process.exit() }'
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`
  const { stdout } = await run(process.execPath, ['--import', preload, program, 'serve'])
  assert.match(stdout, new RegExp(`[/\\\\]cli[/\\\\]app[/\\\\]serve\\.ts:${line}:\\d+`))
})

test('a folder for compiled code that cannot be written costs nothing but time', async () => {
  const file = join(folder, 'not-a-folder')
  writeFileSync(file, '')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const env = { NODE_COMPILE_CACHE: file }
  assert.deepEqual(await run(process.execPath, [program, '--version'], { env }), { stdout: `${version}\n`, stderr: '' })
})

test('the licenses of the bundled packages are beside them', () => {
  const text = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['fastify', 'kysely', 'pg', 'pino', 'zod'])
    assert.match(text, new RegExp(`^${name} \\d.* \\(MIT\\)$`, 'm'))
})
