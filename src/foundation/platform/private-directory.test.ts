import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePrivateDirectory } from './private-directory.ts'

test('only the folder itself is private: what is made above it may be passed, and what was there stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'causeway-private-'))
  try {
    await chmod(root, 0o750)
    await makePrivateDirectory(join(root, 'data', 'deep', 'tls'))
    const modeOf = async (...parts: readonly string[]) => (await stat(join(root, ...parts))).mode & 0o777
    assert.equal(await modeOf('data', 'deep', 'tls'), 0o700)
    const pass = 0o011 & ~process.umask()
    assert.equal((await modeOf('data', 'deep')) & pass, pass)
    assert.equal((await modeOf('data')) & pass, pass)
    assert.equal(await modeOf(), 0o750)
    await makePrivateDirectory(join(root, 'data', 'deep', 'tls'))
    assert.equal(await modeOf('data', 'deep', 'tls'), 0o700)
  } finally {
    await rm(root, { recursive: true })
  }
})
