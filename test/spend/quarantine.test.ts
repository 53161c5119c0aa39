/** Records that the database refused are tried again at the next start, and are in no other database. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { adoptAbandoned, claimDirectory, findQuarantine } from '../../src/modules/spend/journal/journal-directory.ts'
import { putIntoQuarantine } from '../../src/modules/spend/journal/quarantine.ts'
import { aSpendRecord } from '../database/samples.ts'
import { anOpenCall, createFakeDatabase, type FakeDatabase, makeFolder, openLedger } from './ledger-parts.ts'

const readText = (records: readonly SpendRecord[]): readonly string[] => records.map((record) => JSON.stringify(record))

/** A database that refuses what `isRefused` says, as the real one tells it. */
function refusing(isRefused: (record: SpendRecord) => boolean): FakeDatabase {
  const database = createFakeDatabase()
  const write: FakeDatabase['write'] = async (records) => {
    await database.write(records.filter((record) => !isRefused(record)))
    return records.filter(isRefused)
  }
  return { ...database, write }
}

async function startOn(root: string, name: string, database: FakeDatabase) {
  const own = await claimDirectory(root, name)
  const opened = openLedger(own.path, database, {
    onRejected: (records) => putIntoQuarantine(findQuarantine(own.path), readText(records)),
  })
  opened.adopt(await adoptAbandoned(root, own.path, name))
  await opened.ledger.flush()
  const stop = async (): Promise<void> => {
    await opened.journal.close()
    await own.release()
  }
  return { own, ledger: opened.ledger, stop }
}

test('what was refused is tried at each start, by one process after the other, until the database takes it', async () => {
  const folder = await makeFolder()
  const records = Array.from({ length: 1_201 }, () => aSpendRecord())
  const [mended, refused] = [records.slice(0, 600), records.slice(600)]
  const all = new Set(records.map(({ requestId }) => requestId))
  try {
    const first = await startOn(
      folder.path,
      'one',
      refusing(() => true),
    )
    for (const record of records) await first.ledger.append(record)
    await first.ledger.flush()
    assert.equal(statSync(findQuarantine(first.own.path)).mode & 0o777, 0o600)
    await first.stop()

    const elsewhere = createFakeDatabase()
    await (await startOn(folder.path, 'two', elsewhere)).stop()
    assert.equal(elsewhere.stored.size, 0, 'another database gets none of them')

    const late = new Set(refused.map(({ requestId }) => requestId))
    const half = refusing(({ requestId }) => late.has(requestId))
    const second = await startOn(folder.path, 'one', half)
    assert.deepEqual([...half.stored.values()], mended)
    assert.equal(existsSync(findQuarantine(first.own.path)), false)
    const kept = readFileSync(findQuarantine(second.own.path), 'utf8').trimEnd().split('\n')
    assert.deepEqual(kept, readText(refused))
    await second.stop()

    const third = await startOn(folder.path, 'one', half)
    await third.stop()
    const last = createFakeDatabase()
    await (await startOn(folder.path, 'one', last)).stop()
    assert.deepEqual([...last.stored.values()], refused)
    assert.ok([...last.stored.values()].every(({ requestId }) => all.has(requestId)))
    assert.deepEqual(readdirSync(folder.path), [], 'nothing is left to be looked at')
  } finally {
    await folder.remove()
  }
})

test('a record in quarantine is the end of its call, and a line that a crash has torn is left out', async () => {
  const folder = await makeFolder()
  try {
    const call = anOpenCall()
    const record = aSpendRecord({ requestId: call.requestId, costNanoUsd: 77 })
    const database = createFakeDatabase()
    const died = await startOn(folder.path, 'one', database)
    await new Promise<void>((resolve) => died.ledger.open(call, resolve))
    await putIntoQuarantine(findQuarantine(died.own.path), ['null', '{}', ...readText([record]), '{"requestId":'])
    await died.stop()
    const heir = await startOn(folder.path, 'one', database)
    assert.deepEqual([...database.stored.values()], [record], 'and no estimate of it')
    await heir.stop()
    assert.deepEqual(readdirSync(folder.path), [])
  } finally {
    await folder.remove()
  }
})

test('the file stays beside a directory that is adopted, also by an heir of its heir', () => {
  const root = path.join('/', 'data', 'journal')
  const file = path.join(root, 'quarantine-7-aa.jsonl')
  assert.equal(findQuarantine(path.join(root, '7-aa')), file)
  assert.equal(findQuarantine(path.join(root, '9-bb', 'adopted-7-aa')), file)
})
