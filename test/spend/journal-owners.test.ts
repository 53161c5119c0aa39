import assert from 'node:assert/strict'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { adoptAbandoned, claimDirectory, type JournalOwner } from '../../src/modules/spend/journal/journal-directory.ts'
import { makeFolder } from './ledger-parts.ts'

test('only directories of the dead are taken over: of a number that another process has now, or of a host that is silent for two minutes', async () => {
  const folder = await makeFolder()
  const living = await claimDirectory(folder.path, 'db')
  const owner: JournalOwner = JSON.parse(await readFile(path.join(living.path, 'owner.json'), 'utf8'))
  const leave = async (name: string, values: Partial<JournalOwner> | undefined, silentMs = 0): Promise<void> => {
    const directory = path.join(folder.path, name)
    await mkdir(directory)
    if (values === undefined) return
    const file = path.join(directory, 'owner.json')
    await writeFile(file, JSON.stringify({ ...owner, ...values }))
    const seen = new Date(Date.now() - silentMs)
    await utimes(file, seen, seen)
  }
  const elsewhere = { host: 'elsewhere' }
  if (owner.startTicks !== null) await leave('same process, silent', {}, 3_600_000)
  await leave('same number, other process', { startTicks: '1' })
  await leave('another database', { startTicks: '1', database: 'another' })
  await leave('elsewhere, heard of', elsewhere, 110_000)
  await leave('elsewhere, silent', elsewhere, 130_000)
  await leave('elsewhere, another database', { ...elsewhere, database: 'another' }, 130_000)
  await leave('where the system does not tell, heard of', { startTicks: null })
  await leave('where the system does not tell, silent', { startTicks: null }, 130_000)
  await leave('.being made', { startTicks: '1' })
  await leave('nobody', undefined)
  const heir = await claimDirectory(folder.path, 'db')
  const adopted = await adoptAbandoned(folder.path, heir.path, 'db')
  assert.deepEqual(
    adopted.map((directory) => path.basename(directory)).sort(),
    ['elsewhere, silent', 'same number, other process', 'where the system does not tell, silent'].map(
      (name) => `adopted-${name}`,
    ),
  )
  await folder.remove()
})

test('whoever shows itself is not taken for dead elsewhere', async () => {
  const folder = await makeFolder()
  const [living, heir] = [await claimDirectory(folder.path, 'db'), await claimDirectory(folder.path, 'db')]
  const file = path.join(living.path, 'owner.json')
  // As a process on another host sees it.
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), host: 'elsewhere' }))
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(file, longAgo, longAgo)
  await living.beat()
  assert.deepEqual(await adoptAbandoned(folder.path, heir.path, 'db'), [])
  await utimes(file, longAgo, longAgo)
  assert.equal((await adoptAbandoned(folder.path, heir.path, 'db')).length, 1)
  await folder.remove()
})
