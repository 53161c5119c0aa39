import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDemoFolder, removeDemoFolder, writeState } from '../../tools/demo/demo-folder.ts'

const base = await mkdtemp(join(tmpdir(), 'causeway-demo-folder-'))
after(() => rm(base, { recursive: true }))

test('a new folder gets a password and a key that only its owner may read and that stay the same', async () => {
  const folder = join(base, 'new')
  const first = await openDemoFolder(folder)
  assert.equal(first.isNew, true)
  assert.match(first.state.adminPassword, /^[A-Za-z2-9]{16}$/)
  assert.match(first.state.virtualKey, /^sk-proxy-[A-Za-z0-9]{43}$/)
  assert.equal((await stat(join(folder, 'demo.json'))).mode & 0o777, 0o600)
  const second = await openDemoFolder(folder)
  assert.deepEqual(second, { state: first.state, isNew: false })
  await writeState(folder, { ...first.state, filledUntilMs: 5 })
  assert.equal((await openDemoFolder(folder)).state.filledUntilMs, 5)
  assert.deepEqual(await readdir(folder), ['demo.json'])
})

test('a folder with other things in it is neither used nor deleted', async () => {
  const folder = join(base, 'mine')
  await mkdir(folder)
  await writeFile(join(folder, 'thesis.txt'), 'chapter 1')
  await assert.rejects(openDemoFolder(folder), /was not made by the demo \(it holds thesis.txt\)/)
  await assert.rejects(removeDemoFolder(folder), /does not look like a folder of the demo/)
  assert.equal(await readFile(join(folder, 'thesis.txt'), 'utf8'), 'chapter 1')
})

test('a folder of the demo is deleted whole, unless something else was put into it', async () => {
  const folder = join(base, 'old')
  await openDemoFolder(folder)
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'owner'), '999999999 1')
  await writeFile(join(folder, 'notes.txt'), 'mine')
  await assert.rejects(removeDemoFolder(folder), /notes.txt/)
  assert.equal(await readFile(join(folder, 'notes.txt'), 'utf8'), 'mine')
  await rm(join(folder, 'notes.txt'))
  assert.equal(await removeDemoFolder(folder), true)
  assert.equal(await removeDemoFolder(folder), false)
})

test('a link is not followed when the folder is deleted', async () => {
  const target = join(base, 'target')
  await openDemoFolder(target)
  await symlink(target, join(base, 'link'))
  await assert.rejects(removeDemoFolder(join(base, 'link')), /is not a folder/)
  assert.deepEqual(await readdir(target), ['demo.json'])
})

test('a damaged state file is reported and left alone', async () => {
  const folder = join(base, 'damaged')
  await mkdir(folder)
  await writeFile(join(folder, 'demo.json'), '{"kind":')
  await assert.rejects(openDemoFolder(folder), /demo.json is damaged/)
  await assert.rejects(removeDemoFolder(folder), /demo.json is damaged/)
  assert.equal(await readFile(join(folder, 'demo.json'), 'utf8'), '{"kind":')
})
