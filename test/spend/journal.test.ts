import assert from 'node:assert/strict'
import fs, { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import type { OpenCall } from '../../src/foundation/domain/open-call.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { type Note, openJournal, type Segment, segmentsIn } from '../../src/modules/spend/journal/journal.ts'
import { decodeEntries, encodeEntries } from '../../src/modules/spend/journal/journal-entry.ts'
import { aSpendRecord } from '../database/samples.ts'
import { anOpenCall, createFakeDatabase, makeFolder, openLedger } from './ledger-parts.ts'

/** What the files of a journal hold. One that the journal removed after it was listed is not among them. */
async function contentsOf(directory: string): Promise<readonly Buffer[]> {
  const files = await segmentsIn(directory)
  const contents = await Promise.all(
    files.map((file) =>
      readFile(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
    ),
  )
  return contents.filter((bytes) => bytes !== undefined)
}

const readText = (record: object): string => JSON.stringify({ kind: 'record', record })

test('a journal cut at any byte gives back every whole record before the cut and nothing else', () => {
  const records = Array.from({ length: 3 }, () => aSpendRecord({ routing: 'größer' }))
  const bytes = encodeEntries(records.map(readText))
  const ends = records.map((_, index) => encodeEntries(records.slice(0, index + 1).map(readText)).length)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { entries, damagedBytes } = decodeEntries(bytes.subarray(0, cut))
    const whole = ends.filter((end) => end <= cut).length
    assert.equal(entries.length, whole, `cut at ${cut}`)
    assert.equal(damagedBytes, cut - (ends[whole - 1] ?? 0), `cut at ${cut}`)
  }
})

test('any changed byte costs the record that it is in, and no other', () => {
  const records = Array.from({ length: 3 }, () => aSpendRecord())
  const whole = encodeEntries(records.map(readText))
  for (let at = 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0x41
    const found = decodeEntries(bytes).entries.map((entry) => (entry.kind === 'record' ? entry.record.requestId : ''))
    const expected = records.map(({ requestId }) => requestId)
    assert.equal(found.length, 2, `byte ${at}`)
    assert.ok(found.every((id) => expected.includes(id)))
  }
})

test('records appended behind a torn one are found', () => {
  const [first, second] = [readText(aSpendRecord()), readText(aSpendRecord())]
  const torn = encodeEntries([first]).subarray(0, 100)
  const { entries, damagedBytes } = decodeEntries(Buffer.concat([torn, encodeEntries([second])]))
  assert.deepEqual([entries.length, damagedBytes], [1, 100])
})

test('the zeros that a file was made of are no damage, and hide none of its records', () => {
  const whole = encodeEntries([readText(aSpendRecord()), readText(aSpendRecord())])
  const within = (zeros: number, bytes = whole) => {
    const { entries, damagedBytes } = decodeEntries(Buffer.concat([bytes, Buffer.alloc(zeros)]))
    return [entries.length, damagedBytes]
  }
  for (const zeros of [12, 13, 4_095, 4_096, 4_097, 8_192, 20_000, 65_536 - whole.length])
    assert.deepEqual(within(zeros), [2, 0], String(zeros))
  assert.deepEqual(within(11), [2, 11], 'fewer than a head has may be a torn one')
  for (const zeros of [12, 4_096, 10_000]) assert.deepEqual(within(zeros, Buffer.alloc(0)), [0, 0], String(zeros))
  assert.deepEqual(within(5_000, whole.subarray(0, -1)), [1, whole.length / 2 - 1], 'a torn end is damage all the same')
})

test('an entry whose text is not JSON is left out, and what follows is found', () => {
  const [broken, whole] = ['{"kind":"rec', readText(aSpendRecord())]
  const { entries, damagedBytes } = decodeEntries(encodeEntries([whole, broken, whole]))
  assert.deepEqual([entries.length, damagedBytes], [2, encodeEntries([broken]).length])
})

test('a record is on the disk when append resolves, and files go once the database has everything', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  const { ledger, journal } = openLedger(folder.path, database, { segmentBytes: 20_000 })
  const records = Array.from({ length: 100 }, () => aSpendRecord())
  for (const record of records) {
    await ledger.append(record)
    const files = await contentsOf(folder.path)
    assert.ok(files.some((bytes) => bytes.includes(record.requestId)))
  }
  assert.equal(ledger.waiting(), 100)
  assert.ok(journal.bytes() > 50_000 && ledger.oldestAgeMs() > 0)
  await ledger.flush()
  assert.equal(ledger.waiting(), 0)
  await journal.close()
  assert.deepEqual([await segmentsIn(folder.path), database.stored.size], [[], 100])
  await folder.remove()
})

test('while the database is away only a window is in memory, and everything is written when it is back', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  const { ledger, journal } = openLedger(folder.path, database, { maxInMemory: 50, segmentBytes: 30_000 })
  database.isAway = true
  const ids: string[] = []
  for (let group = 0; group < 40; group += 1) {
    const records = Array.from({ length: 10 }, () => aSpendRecord())
    ids.push(...records.map(({ requestId }) => requestId))
    await Promise.all(records.map(ledger.append))
    await assert.rejects(ledger.flush())
  }
  assert.equal(ledger.waiting(), 400)
  database.isAway = false
  await ledger.flush()
  assert.equal(ledger.waiting(), 0)
  assert.deepEqual(new Set(database.stored.keys()), new Set(ids.map((id) => `${id} 0`)))
  await journal.close()
  assert.deepEqual(await segmentsIn(folder.path), [])
  await folder.remove()
})

test('whoever wants everything written while the database hangs joins those who wait already: one more try serves them all', async () => {
  const folder = await makeFolder()
  const tries: PromiseWithResolvers<void>[] = []
  const write = async () => {
    const one = Promise.withResolvers<void>()
    tries.push(one)
    await one.promise
    return []
  }
  const { ledger, journal } = openLedger(folder.path, { isAway: false, stored: new Map(), write })
  await ledger.append(aSpendRecord())
  const flushes = [ledger.flush()]
  while (tries.length === 0) await new Promise(setImmediate)
  await ledger.append(aSpendRecord())
  for (let asked = 0; asked < 100; asked += 1) flushes.push(ledger.flush())
  const outcomes = Promise.allSettled(flushes)
  for (let one = 0; one < tries.length; one += 1) {
    tries[one]?.reject(new Error('the database is away'))
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  assert.equal(tries.length, 2)
  assert.ok((await outcomes).every(({ status }) => status === 'rejected'))
  const last = ledger.flush()
  while (tries.length < 3) await new Promise(setImmediate)
  tries[2]?.resolve()
  await last
  assert.equal(ledger.waiting(), 0)
  await journal.close()
  await folder.remove()
})

test('a file that notes have filled is not read back while a group of records is still on its way into it', async () => {
  const folder = await makeFolder()
  const journal = openJournal({
    directory: folder.path,
    onFailure: (error) => assert.fail(String(error)),
    onRecovery: () => undefined,
    segmentBytes: 4_000,
  })
  const append = (): Promise<Segment | undefined> =>
    new Promise((resolve) => journal.append(readText(aSpendRecord()), resolve))
  const spill = (segment: Segment | undefined): void => {
    assert.ok(segment !== undefined)
    segment.spilled += 1
    journal.release(segment)
  }
  spill(await append())
  const second = append()
  await new Promise(setImmediate)
  for (let index = 0; index < 2; index += 1) {
    const note: Note = { segment: undefined }
    journal.note(note, 'x'.repeat(2_500), () => undefined)
    await new Promise(process.nextTick)
  }
  assert.equal(journal.takeSpilled(), undefined)
  spill(await second)
  assert.equal(journal.takeSpilled()?.spilled, 2)
  await journal.close()
  await folder.remove()
})

test('calls that were open when the process died are recorded once; ended and refused ones are not', async () => {
  const folder = await makeFolder()
  const dead = path.join(folder.path, 'dead')
  const alive = path.join(folder.path, 'alive')
  await Promise.all([mkdir(dead), mkdir(alive)])
  const database = createFakeDatabase()
  database.isAway = true
  const before = openLedger(dead, database)
  const [open, ended, refused, stored] = [anOpenCall(), anOpenCall(), anOpenCall(), anOpenCall()]
  for (const call of [open, ended, refused, stored]) before.ledger.open(call, () => {})
  // A second try at another endpoint is still one call.
  before.ledger.open({ ...open, endpointId: '0190a000-0000-7000-8000-000000000002' }, () => {})
  before.ledger.close(refused.requestId, 0)
  await before.ledger.append(aSpendRecord({ requestId: ended.requestId, costNanoUsd: 77 }))
  database.isAway = false
  // Its own record reached the database while the journal could not be written.
  await database.write([aSpendRecord({ requestId: stored.requestId, costNanoUsd: 5 })])
  const after = openLedger(alive, database)
  after.adopt([dead])
  await after.ledger.flush()
  const costs = Object.fromEntries([...database.stored.values()].map((row) => [row.requestId, row.costNanoUsd]))
  assert.deepEqual(costs, { [stored.requestId]: 5, [ended.requestId]: 77, [open.requestId]: 1 })
  assert.deepEqual((await readdir(folder.path)).sort(), ['alive'])
  await folder.remove()
})

test('a call begins only when its note is in the file; the first after a quiet moment at once, the others in one write', async () => {
  const folder = await makeFolder()
  const { ledger, journal } = openLedger(folder.path, createFakeDatabase())
  const file = (): Buffer => readFileSync(path.join(folder.path, readdirSync(folder.path)[0] ?? ''))
  const isIn = ({ requestId }: OpenCall, bytes: Buffer): boolean => bytes.includes(requestId)
  /** What the file has when each of five calls of one moment begins, in the order in which they begin. */
  const burst = async () => {
    const calls = Array.from({ length: 5 }, () => anOpenCall())
    const begun: { readonly call: OpenCall; readonly bytes: Buffer }[] = []
    let atOnce = 0
    await new Promise<void>((resolve) => {
      for (const call of calls)
        ledger.open(call, () => {
          begun.push({ call, bytes: file() })
          if (begun.length === calls.length) resolve()
        })
      atOnce = begun.length
    })
    for (const { call, bytes } of begun) assert.ok(isIn(call, bytes))
    return { calls, begun, atOnce }
  }
  const quiet = await burst()
  assert.equal(quiet.atOnce, 1)
  assert.ok(!quiet.calls.slice(1).some((call) => isIn(call, quiet.begun[0]?.bytes ?? Buffer.alloc(0))))
  assert.ok(quiet.calls.every((call) => isIn(call, quiet.begun[1]?.bytes ?? Buffer.alloc(0))))
  const busy = await burst()
  assert.equal(busy.atOnce, 0)
  assert.ok(busy.calls.every((call) => isIn(call, busy.begun[0]?.bytes ?? Buffer.alloc(0))))
  await journal.close()
  await folder.remove()
})

test('the file with the note of an open call stays, also when an earlier try of the call was refused', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  const { ledger, journal } = openLedger(folder.path, database, { segmentBytes: 1 })
  const call = anOpenCall()
  await new Promise<void>((resolve) => ledger.open(call, resolve))
  ledger.close(call.requestId, 0)
  await new Promise<void>((resolve) => ledger.open(call, resolve))
  // Ends the file, and needs it no longer.
  await ledger.append(aSpendRecord())
  await ledger.flush()
  const files = await contentsOf(folder.path)
  assert.ok(files.some((bytes) => bytes.includes(call.requestId)))
  await ledger.append(aSpendRecord({ requestId: call.requestId }))
  await ledger.flush()
  await journal.close()
  assert.deepEqual(await segmentsIn(folder.path), [])
  await folder.remove()
})

test('the progress of open streams is noted when it has changed, and the files with older notes go', async () => {
  const folder = await makeFolder()
  const { ledger, journal } = openLedger(folder.path, createFakeDatabase(), { segmentBytes: 1 })
  const progress = { usage: { ...noUsage, inputTokens: 900 }, outputCharacters: 10 }
  const [running, silent] = [anOpenCall(), anOpenCall()]
  await new Promise<void>((resolve) => ledger.open(running, resolve, () => progress))
  await new Promise<void>((resolve) => ledger.open(silent, resolve, () => ({ usage: noUsage, outputCharacters: 0 })))
  const noteNow = async (): Promise<number> => {
    ledger.noteProgress()
    await new Promise((resolve) => setImmediate(resolve))
    return journal.bytes()
  }
  const first = await noteNow()
  assert.equal(await noteNow(), first)
  progress.outputCharacters = 4_000
  await noteNow()
  // Ends the file.
  await ledger.append(aSpendRecord())
  await ledger.flush()
  const notes = async (): Promise<readonly OpenCall[]> =>
    (await contentsOf(folder.path)).flatMap((bytes) =>
      decodeEntries(bytes).entries.flatMap((entry) => (entry.kind === 'open' ? [entry.call] : [])),
    )
  // Files are removed in the background.
  while ((await notes()).length > 2) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(await notes(), [silent, { ...running, progress }])
  for (const { requestId } of [running, silent]) await ledger.append(aSpendRecord({ requestId }))
  await ledger.flush()
  await journal.close()
  assert.deepEqual(await segmentsIn(folder.path), [])
  await folder.remove()
})

test('progress that is noted in the moment in which a request gets its record leaves no file behind', async () => {
  const folder = await makeFolder()
  const { ledger, journal } = openLedger(folder.path, createFakeDatabase(), { segmentBytes: 1 })
  const [call, other] = [anOpenCall(), anOpenCall()]
  const readProgress = () => ({ usage: noUsage, outputCharacters: 10 })
  for (const one of [other, call]) await new Promise<void>((resolve) => ledger.open(one, resolve, readProgress))
  const records = [call, other].map(({ requestId }) => ledger.append(aSpendRecord({ requestId })))
  ledger.noteProgress()
  await Promise.all(records)
  await ledger.flush()
  await journal.close()
  assert.deepEqual(await segmentsIn(folder.path), [])
  await folder.remove()
})

test('a torn tail left by a crash is replayed up to the tear', async () => {
  const folder = await makeFolder()
  const database = createFakeDatabase()
  const dead = path.join(folder.path, 'dead')
  await mkdir(dead)
  database.isAway = true
  const before = openLedger(dead, database)
  const records = Array.from({ length: 5 }, () => aSpendRecord())
  for (const record of records) await before.ledger.append(record)
  database.isAway = false
  const [file = ''] = await segmentsIn(dead)
  const bytes = await readFile(file)
  const end = bytes.lastIndexOf('}') + 1
  for (let missing = 1; missing < 40; missing += 1) {
    // Either the file is shorter, or the zeros that it was made of are still there.
    for (const rest of [0, bytes.length - end]) {
      const copy = path.join(folder.path, `copy-${missing}-${rest}`)
      await mkdir(copy)
      const torn = Buffer.concat([bytes.subarray(0, end - missing), Buffer.alloc(rest)])
      await writeFile(path.join(copy, path.basename(file)), torn)
      database.stored.clear()
      const after = openLedger(folder.path, database)
      after.adopt([copy])
      await after.ledger.flush()
      assert.equal(database.stored.size, 4)
    }
  }
  await folder.remove()
})

test('a journal that cannot be written is reported once, calls go on, and it comes back by itself', async () => {
  const folder = await makeFolder()
  const directory = path.join(folder.path, 'journal')
  const gone = path.join(folder.path, 'gone')
  await mkdir(directory)
  await chmod(directory, 0o700)
  const database = createFakeDatabase()
  const opened = openLedger(directory, database, { segmentBytes: 1 })
  await rename(directory, gone)
  await writeFile(directory, 'not a directory')
  const records = Array.from({ length: 50 }, () => aSpendRecord())
  await Promise.all(records.map(opened.ledger.append))
  // Resolved because the database has them: that is the other way to be safe.
  assert.equal(database.stored.size, 50)
  assert.equal(opened.failures.length, 1)
  assert.equal(opened.journal.isFailing(), true)
  database.isAway = true
  await opened.ledger.flush().catch(() => undefined)
  await Promise.all(Array.from({ length: 20 }, () => opened.ledger.append(aSpendRecord())))
  await opened.ledger.flush().catch(() => undefined)
  await opened.ledger.append(aSpendRecord())
  database.isAway = false
  await opened.ledger.flush()
  assert.equal(database.stored.size, 71)
  await rename(directory, path.join(folder.path, 'file'))
  await rename(gone, directory)
  while (opened.journal.isFailing()) {
    await opened.ledger.append(aSpendRecord())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(opened.recoveries(), 1)
  await opened.ledger.flush()
  await opened.journal.close()
  await folder.remove()
})

test('the sync is shared: fifty records at once need one or two writes to the disk', async (context) => {
  const folder = await makeFolder()
  const { ledger, journal } = openLedger(folder.path, createFakeDatabase(), { maxInMemory: 100_000 })
  const write = context.mock.method(fs, 'write')
  syncBuiltinESMExports()
  const records = Array.from({ length: 5_000 }, () => aSpendRecord())
  try {
    for (let start = 0; start < records.length; start += 50)
      await Promise.all(records.slice(start, start + 50).map(ledger.append))
  } finally {
    write.mock.restore()
    syncBuiltinESMExports()
  }
  const writes = write.mock.callCount()
  context.diagnostic(`${writes} writes`)
  assert.ok(writes > 0 && writes <= 200, `${writes} writes`)
  await ledger.flush()
  await journal.close()
  await folder.remove()
})
