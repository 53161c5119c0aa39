import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createSegmentFiles } from './journal-files.ts'

/** As in a process with so many descriptors left: every open file keeps one. */
function withDescriptors<R>(left: number, work: () => R): R {
  const { openSync, closeSync } = fs
  let free = left
  fs.openSync = (...given: Parameters<typeof openSync>) => {
    if (free === 0) throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    free -= 1
    return openSync(...given)
  }
  fs.closeSync = (fd) => {
    free += 1
    closeSync(fd)
  }
  syncBuiltinESMExports()
  try {
    return work()
  } finally {
    Object.assign(fs, { openSync, closeSync })
    syncBuiltinESMExports()
  }
}

test('without descriptors no file is left behind, however often it is tried', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'causeway-segments-'))
  try {
    const files = createSegmentFiles(directory, 4_096)
    for (const left of [0, 1, 1, 1])
      withDescriptors(left, () => assert.throws(() => files.take(), { code: 'EMFILE' }, `${left} left`))
    assert.deepEqual(await readdir(directory), [])
    const file = withDescriptors(2, () => files.take())
    for (const fd of [file.plainFd, file.syncedFd]) fs.closeSync(fd)
    assert.deepEqual(await readdir(directory), [path.basename(file.path)])
    await files.close()
  } finally {
    await rm(directory, { recursive: true })
  }
})
