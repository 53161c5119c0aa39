import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readExpiry, selfSignedTlsFiles } from './tls.ts'

const dataDir = await mkdtemp(path.join(tmpdir(), 'causeway-tls-'))
after(() => rm(dataDir, { recursive: true, force: true }))

const unexpected = (error: unknown): void => assert.fail(String(error))

async function kept() {
  const read = (name: string): Promise<string> => readFile(path.join(dataDir, 'tls', name), 'utf8')
  return { cert: await read('cert.pem'), key: await read('key.pem') }
}

test('processes that start together serve one certificate, which is the one that is kept', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 4 }, () => selfSignedTlsFiles(dataDir, ['localhost'], Date.now(), unexpected)),
  )
  for (const pair of pairs) assert.deepEqual(pair, await kept())
  assert.deepEqual(await readdir(dataDir), ['tls'])
  assert.equal((await stat(path.join(dataDir, 'tls'))).mode & 0o777, 0o700)
  assert.equal((await stat(path.join(dataDir, 'tls', 'key.pem'))).mode & 0o777, 0o600)
  assert.deepEqual(await selfSignedTlsFiles(dataDir, ['localhost'], Date.now(), unexpected), await kept())
})

test('the pair is private and the data folder is not: the embedded Postgres of a gateway under root has to pass it', async () => {
  const made = path.join(dataDir, 'new', 'data')
  await selfSignedTlsFiles(made, ['localhost'], Date.now(), unexpected)
  assert.equal((await stat(path.join(made, 'tls'))).mode & 0o777, 0o700)
  const pass = 0o011 & ~process.umask()
  for (const folder of [made, path.dirname(made)]) assert.equal((await stat(folder)).mode & pass, pass, folder)
})

test('a pair that is damaged or about to end is replaced', async () => {
  const first = await kept()
  await writeFile(path.join(dataDir, 'tls', 'cert.pem'), 'damaged')
  const second = await selfSignedTlsFiles(dataDir, ['localhost'], Date.now(), unexpected)
  assert.notEqual(second.cert, first.cert)
  assert.deepEqual(second, await kept())
  const later = Date.now() + 800 * 24 * 3_600_000
  assert.notEqual((await selfSignedTlsFiles(dataDir, ['localhost'], later, unexpected)).cert, second.cert)
})

test('where no pair can be kept, one is made for this start, and it is told', async () => {
  const file = path.join(dataDir, 'no-folder')
  await writeFile(file, '')
  const told: unknown[] = []
  const made = await selfSignedTlsFiles(file, ['localhost'], Date.now(), (error) => told.push(error))
  assert.ok(readExpiry(made) > Date.now())
  assert.equal(told.length, 1)
})
