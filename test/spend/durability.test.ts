import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { adoptAbandoned, claimDirectory } from '../../src/modules/spend/journal/journal-directory.ts'
import { aSpendRecord } from '../database/samples.ts'
import { faultsOf, runKillRounds } from './kill-rounds.ts'
import { createFakeDatabase, makeFolder, openLedger } from './ledger-parts.ts'
import { runLostAnswers } from './lost-answers.ts'

/** `node test/spend/kill-rounds.ts 200` runs as many as a release wants to see, `test/system/spend` some more. */
const KILL_ROUNDS = 2

test('a process that is killed under load loses no record and doubles none', async (context) => {
  const report = await runKillRounds(KILL_ROUNDS)
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.served > 5)
  assert.deepEqual(faultsOf(report), [])
})

test('ten commits whose answer never came neither lose nor double a record', async () => {
  const report = await runLostAnswers(10)
  assert.equal(report.cuts, 10)
  assert.deepEqual([report.rows, report.counted], [report.records, report.records])
  assert.equal(report.costNanoUsd, report.expectedNanoUsd)
})

test('processes that share a directory never mix: the living keep theirs, the dead and released are taken once', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  const first = await claimDirectory(folder.path, 'db')
  const second = await claimDirectory(folder.path, 'db')
  assert.notEqual(first.path, second.path)
  assert.deepEqual(await adoptAbandoned(folder.path, second.path, 'db'), [])
  database.isAway = true
  const ending = openLedger(first.path, database)
  await ending.ledger.append(aSpendRecord())
  await ending.journal.close()
  await first.release()
  assert.deepEqual(await adoptAbandoned(folder.path, second.path, 'another db'), [])
  const third = await claimDirectory(folder.path, 'db')
  const [bySecond, byThird] = await Promise.all([
    adoptAbandoned(folder.path, second.path, 'db'),
    adoptAbandoned(folder.path, third.path, 'db'),
  ])
  assert.equal(bySecond.length + byThird.length, 1)
  database.isAway = false
  const heir = openLedger(bySecond.length === 1 ? second.path : third.path, database)
  heir.adopt([...bySecond, ...byThird])
  await heir.ledger.flush()
  assert.equal(database.stored.size, 1)
  await heir.journal.close()
  await Promise.all([second.release(), third.release()])
  assert.deepEqual(await readdir(folder.path), [])
  await folder.remove()
})

test('what an heir had taken over before it died goes on to the next', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  database.isAway = true
  const first = await claimDirectory(folder.path, 'db')
  const firstLedger = openLedger(first.path, database)
  await firstLedger.ledger.append(aSpendRecord())
  await firstLedger.journal.close()
  await first.release()
  const second = await claimDirectory(folder.path, 'db')
  assert.equal((await adoptAbandoned(folder.path, second.path, 'db')).length, 1)
  const secondLedger = openLedger(second.path, database)
  await secondLedger.ledger.append(aSpendRecord())
  await secondLedger.journal.close()
  await second.release()
  const third = await claimDirectory(folder.path, 'db')
  const groups = await adoptAbandoned(folder.path, third.path, 'db')
  assert.equal(groups.length, 2)
  assert.ok(groups.every((group) => group.startsWith(path.join(third.path, 'adopted-'))))
  database.isAway = false
  const heir = openLedger(third.path, database)
  heir.adopt(groups)
  await heir.ledger.flush()
  assert.equal(database.stored.size, 2)
  await heir.journal.close()
  await third.release()
  await folder.remove()
})

test('processes that die again and again before they replay leave short paths, and the one that lives replays all', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  database.isAway = true
  const GENERATIONS = 160
  for (let generation = 0; generation < GENERATIONS; generation += 1) {
    const own = await claimDirectory(folder.path, 'db')
    const { ledger, journal } = openLedger(own.path, database, { segmentBytes: 4_096 })
    await ledger.append(aSpendRecord())
    await journal.close()
    const adopted = await adoptAbandoned(folder.path, own.path, 'db')
    assert.equal(adopted.length, generation)
    assert.ok(adopted.every((group) => path.dirname(group) === own.path))
    await own.release()
  }
  const last = await claimDirectory(folder.path, 'db')
  const heir = openLedger(last.path, database)
  heir.adopt(await adoptAbandoned(folder.path, last.path, 'db'))
  database.isAway = false
  await heir.ledger.flush()
  assert.equal(database.stored.size, GENERATIONS)
  await heir.journal.close()
  await last.release()
  assert.deepEqual(await readdir(folder.path), [])
  await folder.remove()
})
