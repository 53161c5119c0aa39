import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { createFakeDatabase, makeFolder, openLedger } from '../../spend/ledger-parts.ts'
import { startChaosProxy } from '../../support/chaos-proxy.ts'
import { createTestDatabase } from '../../support/database.ts'

const SENT = 750
const AT_ONCE = 10

test('a database that is away gets every record when it is back, and no answer waits for it', async () => {
  const own = await createTestDatabase()
  const folder = await makeFolder()
  const proxy = await startChaosProxy(own.url)
  const through = await openDatabase({ kind: 'url', url: proxy.url })
  const log = createSpendLog(through.kysely)
  const write = async (records: readonly SpendRecord[]) => (await log.appendBatch(records)).rejected
  // A small window, so that most of the outage is only on the disk.
  const { ledger, journal } = openLedger(folder.path, { isAway: false, stored: new Map(), write }, { maxInMemory: 100 })
  proxy.set('refuse')
  for (let group = 0; group < SENT; group += AT_ONCE) {
    // Answers wait for this, so it must not wait for the database.
    await Promise.all(Array.from({ length: AT_ONCE }, () => ledger.append(aSpendRecord())))
    await assert.rejects(ledger.flush())
  }
  assert.equal(ledger.waiting(), SENT)
  proxy.set('pass')
  while (ledger.waiting() > 0) await ledger.flush().catch(() => undefined)
  const { rows } = await own.database.pool.query('select count(*) as rows from spend_log')
  assert.deepEqual(rows, [{ rows: SENT }])
  await journal.close()
  await through.close()
  await proxy.close()
  await own.drop()
  await folder.remove()
})

/** A file system of one megabyte where that may be made; else undefined. */
function mountSmall(directory: string): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' })
    return () => void execFileSync('umount', ['-l', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
}

test('a full disk stops nothing: records go to the database, and the journal works again when there is room', async (context) => {
  const folder = await makeFolder()
  const small = path.join(folder.path, 'small')
  await mkdir(small)
  const unmount = mountSmall(small)
  const filler = path.join(small, 'filler')
  const directory = path.join(small, 'journal')
  if (unmount !== undefined) {
    await mkdir(directory)
    await writeFile(filler, Buffer.alloc(900_000))
  } else await writeFile(directory, 'in the way')
  context.diagnostic(unmount === undefined ? 'with an unusable directory' : 'with a full file system')
  const database = createFakeDatabase()
  const { ledger, journal, failures } = openLedger(directory, database)
  for (let group = 0; group < 10; group += 1)
    await Promise.all(Array.from({ length: 50 }, () => ledger.append(aSpendRecord())))
  assert.equal(journal.isFailing(), true)
  assert.equal(failures.length, 1)
  await ledger.flush()
  assert.equal(database.stored.size, 500)
  if (unmount === undefined) {
    await rm(directory)
    await mkdir(directory)
  } else await rm(filler)
  await untilTrue(async () => {
    await ledger.append(aSpendRecord())
    return !journal.isFailing()
  })
  await ledger.flush()
  assert.equal(ledger.waiting(), 0)
  await journal.close()
  unmount?.()
  await folder.remove()
})
