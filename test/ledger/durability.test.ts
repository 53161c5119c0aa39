import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import type { SpendRecord } from '../../src/domain/spend-record.ts'
import { adoptAbandoned, claimDirectory } from '../../src/state/journal-directory.ts'
import { openDatabase } from '../../src/stores/database.ts'
import { createSpendLog } from '../../src/stores/spend-log.ts'
import { aSpendRecord } from '../stores/samples.ts'
import { createTestDatabase } from '../support/database.ts'
import { faultsOf, runKillRounds } from './kill-rounds.ts'
import { createFakeDatabase, makeFolder, openLedger } from './ledger-parts.ts'

/** `node test/ledger/kill-rounds.ts 200` runs as many as a release wants to see, `test/system/ledger` some more. */
const KILL_ROUNDS = 2

test('a process that is killed under load loses no record and doubles none', async (context) => {
  const report = await runKillRounds(KILL_ROUNDS)
  context.diagnostic(JSON.stringify(report))
  assert.ok(report.served > 5)
  assert.deepEqual(faultsOf(report), [])
})

/** Passes everything on until a statement with `insert into spend_log` has gone through; then cuts without its answer. */
async function startCuttingProxy(target: URL): Promise<{ port: number; cuts: () => number; close: () => void }> {
  let cuts = 0
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    let isCut = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.on('data', (bytes) => {
      upstream.write(bytes)
      if (cuts >= 20 || !bytes.includes('insert into spend_log')) return
      cuts += 1
      isCut = true
      // The statement is on its way; whether it was committed the gateway will never hear.
      setTimeout(() => client.resetAndDestroy(), cuts % 4)
    })
    upstream.on('data', (bytes) => {
      if (!isCut) client.write(bytes)
    })
    client.on('close', () => setTimeout(() => upstream.destroy(), 50))
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test('twenty commits whose answer never came neither lose nor double a record', async () => {
  const own = await createTestDatabase()
  const folder = await makeFolder()
  const url = new URL(own.url)
  const proxy = await startCuttingProxy(new URL(own.url))
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  const through = await openDatabase({ kind: 'url', url: url.href })
  const log = createSpendLog(through.kysely)
  const write = async (records: readonly SpendRecord[]) => (await log.appendBatch(records)).rejected
  const { ledger, journal } = openLedger(folder.path, { isAway: false, stored: new Map(), write })
  const records: SpendRecord[] = []
  for (let tries = 0; proxy.cuts() < 20 || ledger.waiting() > 0; tries += 1) {
    const fresh = Array.from({ length: proxy.cuts() < 20 ? 10 : 0 }, () => aSpendRecord({ costNanoUsd: 7 }))
    records.push(...fresh)
    await Promise.all(fresh.map(ledger.append))
    await ledger.flush().catch(() => undefined)
    assert.ok(tries < 200)
  }
  const { rows } = await own.database.pool.query(
    `select (select count(*) from spend_log) as rows, (select sum(cost_nano_usd) from spend_log) as cost,
      (select sum(requests) from spend_hours) as counted`,
  )
  assert.deepEqual(rows, [{ rows: records.length, cost: records.length * 7, counted: records.length }])
  await journal.close()
  await through.close()
  proxy.close()
  await own.drop()
  await folder.remove()
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
