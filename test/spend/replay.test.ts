import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { encodeEntries, type JournalEntry } from '../../src/modules/spend/journal/journal-entry.ts'
import { createReplay } from '../../src/modules/spend/journal/journal-replay.ts'
import { aSpendRecord } from '../database/samples.ts'
import { anOpenCall, makeFolder } from './ledger-parts.ts'

const entryOf = (record: SpendRecord): JournalEntry => ({ kind: 'record', record })
const idOf = ({ requestId, round }: { readonly requestId: string; readonly round: number }): string =>
  `${requestId} ${round}`

/** What a process has left behind, one file for each list. */
async function leaveBehind(root: string, name: string, files: readonly (readonly JournalEntry[])[]): Promise<string> {
  const directory = path.join(root, name)
  await mkdir(directory)
  for (const [index, entries] of files.entries())
    await writeFile(
      path.join(directory, `000000000${index}.journal`),
      encodeEntries(entries.map((entry) => JSON.stringify(entry))),
    )
  return directory
}

function startReplay(isStored: (id: string) => boolean = () => false) {
  const told: { readonly records: number; readonly unfinished: number; readonly damagedBytes: number }[] = []
  const replay = createReplay({
    isStored: async (requestId, round) => isStored(idOf({ requestId, round })),
    recover: ({ requestId, round }) => aSpendRecord({ requestId, round, flags: ['estimated'] }),
    onReplayed: ({ directory: _, ...what }) => told.push(what),
  })
  return { replay, told }
}

test('a journal of many batches is written whole, each record once', async () => {
  const folder = await makeFolder()
  const records = Array.from({ length: 1_234 }, () => aSpendRecord())
  const { replay, told } = startReplay()
  const directory = await leaveBehind(folder.path, 'dead', [records.map(entryOf)])
  replay.adopt([directory])
  const batches: (readonly SpendRecord[])[] = []
  await replay.writeAbandoned(async (batch) => void batches.push(batch))
  assert.deepEqual(batches.flat().map(idOf), records.map(idOf))
  assert.ok(batches.every(({ length }) => length <= 500))
  assert.deepEqual(told, [{ records: 1_234, unfinished: 0, damagedBytes: 0 }])
  assert.equal(existsSync(directory), false)
  await folder.remove()
})

test('when the database goes away in the middle, the rest is written later, and what was done is not done again', async () => {
  const folder = await makeFolder()
  const files = Array.from({ length: 3 }, () => [aSpendRecord(), aSpendRecord()])
  const second = [aSpendRecord()]
  const { replay, told } = startReplay()
  const directories = [
    await leaveBehind(
      folder.path,
      'first',
      files.map((records) => records.map(entryOf)),
    ),
    await leaveBehind(folder.path, 'second', [second.map(entryOf)]),
  ]
  replay.adopt(directories)
  const written: string[] = []
  let left = 2
  const write = async (batch: readonly SpendRecord[]): Promise<void> => {
    if (left-- === 0) throw new Error('the database is away')
    written.push(...batch.map(idOf))
  }
  await assert.rejects(replay.writeAbandoned(write), /away/)
  assert.deepEqual(
    [replay.abandoned(), directories.map((directory) => existsSync(directory)), told],
    [2, [true, true], []],
  )
  await replay.writeAbandoned(write)
  assert.deepEqual(written, [...files.flat(), ...second].map(idOf))
  assert.deepEqual(
    told.map(({ records }) => records),
    [6, 1],
  )
  assert.deepEqual([replay.abandoned(), directories.map((directory) => existsSync(directory))], [0, [false, false]])
  await folder.remove()
})

test('of the rounds of one request each is recovered by itself: the open, and not the recorded, refused or stored', async () => {
  const folder = await makeFolder()
  const { requestId } = aSpendRecord()
  const open = (round: number): JournalEntry => ({ kind: 'open', call: anOpenCall({ requestId, round }) })
  const { replay, told } = startReplay((id) => id === `${requestId} 4`)
  replay.adopt([
    await leaveBehind(folder.path, 'dead', [
      [open(0), open(1), open(2), entryOf(aSpendRecord({ requestId, round: 0 })), open(3)],
      [{ kind: 'closed', requestId, round: 2 }, open(4), open(5)],
    ]),
  ])
  const written: SpendRecord[] = []
  await replay.writeAbandoned(async (batch) => void written.push(...batch))
  assert.deepEqual(
    written.map(({ round, flags }) => [round, flags.includes('estimated')]),
    [
      [0, false],
      [1, true],
      [3, true],
      [5, true],
    ],
  )
  assert.deepEqual(told, [{ records: 1, unfinished: 3, damagedBytes: 0 }])
  await folder.remove()
})
