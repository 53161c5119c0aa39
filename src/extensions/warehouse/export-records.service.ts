/** One run: finishes what was begun, then writes late records and complete days, until nothing is left. */
import { rm } from 'node:fs/promises'
import type { Database } from '../../foundation/database/database.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { Destination } from './destination.ts'
import { writeManifest } from './manifest.ts'
import { openParquetFile } from './parquet-file.ts'
import { spendFileColumns } from './spend-columns.ts'
import { readFileRows } from './spend-rows.store.ts'
import { createWarehouseFiles, type PlannedFile, type WrittenFile } from './warehouse-files.store.ts'
import { MANIFEST, nameFile, toDayFolder } from './warehouse-place.ts'

export interface ExportPorts {
  readonly db: Database['kysely']
  readonly destination: Destination
  readonly instanceId: string
  readonly log: Logger
  /** The first day that is not complete; other than the usual one in tests. */
  readonly readOpenDay?: () => Promise<string>
}

/** Ends early when the process stops or another instance has taken over; the next run goes on where it was. */
export async function exportRecords(ports: ExportPorts, signal: AbortSignal): Promise<void> {
  const files = createWarehouseFiles(ports.db)
  const name = (day: string, part: number): string => nameFile(day, part, ports.instanceId)
  const openDay = await (ports.readOpenDay ?? files.readOpenDay)()
  while (!signal.aborted) {
    const file = await files.findUnfinished()
    if (file !== undefined) await finishFile(ports, file, signal)
    else if (!(await files.planLate(name)) && !(await files.planDay(name, openDay))) break
  }
  signal.throwIfAborted()
  await files.forgetLate()
}

/** The manifest comes last: what it lists is there. */
async function finishFile(ports: ExportPorts, file: PlannedFile, signal: AbortSignal): Promise<void> {
  const { db, destination, instanceId, log } = ports
  const { day, part, name } = file
  const files = createWarehouseFiles(db)
  if (!file.isWritten) {
    const written = await writeFile(ports, file, signal)
    signal.throwIfAborted()
    if (!(await files.noteWritten(file, instanceId, written)))
      throw new Error('another instance has taken over in the meantime')
    log.info({ day, file: name, records: written.records, bytes: written.bytes }, 'records written to the warehouse')
  }
  await destination.publishText(writeManifest(day, await files.listWritten(day)), toDayFolder(day), MANIFEST)
  await files.noteListed(day, part)
}

/** Of a day whose records were dropped in the meantime, nothing is left to write. */
async function writeFile(
  { db, destination, instanceId }: ExportPorts,
  { day, part, name }: PlannedFile,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const path = await destination.prepare(toDayFolder(day), name)
  const facts = { 'causeway.day': day, 'causeway.part': String(part), 'causeway.instance': instanceId }
  const parquet = await openParquetFile(path, spendFileColumns, facts)
  let records = 0
  let costNanoUsd = 0n
  let bytes = 0
  try {
    for await (const piece of readFileRows(db, { day, part })) {
      signal.throwIfAborted()
      await parquet.append(piece.columns)
      records += piece.columns[0]?.length ?? 0
      costNanoUsd += piece.costNanoUsd
    }
    bytes = await parquet.finish()
    if (records > 0) await destination.publish(path, toDayFolder(day), name)
  } finally {
    await parquet.discard()
    await rm(path, { force: true })
  }
  return { records, bytes, costNanoUsd }
}
