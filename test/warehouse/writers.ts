/** Writers of the warehouse over a real database, and a folder that goes away after the test. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Destination } from '../../src/extensions/warehouse/destination.ts'
import { createFolder } from '../../src/extensions/warehouse/folder.ts'
import { createWarehouseWriter, type WarehouseWriter } from '../../src/extensions/warehouse/write-files.loop.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'

export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'warehouse-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface WriterOptions {
  readonly folder: string
  readonly openDay?: string
  readonly wrap?: (destination: Destination) => Destination
  readonly lines?: string[]
}

/** Every record of the samples lies before the open day. */
export function makeWriter(database: Database, options: WriterOptions): WarehouseWriter {
  const { folder, openDay = '2027-01-01', wrap = (destination) => destination, lines = [] } = options
  const instanceId = newId()
  const { log } = createLogging({ level: 'info', format: 'json', write: (line) => lines.push(line) })
  return createWarehouseWriter({
    findDatabase: () => database,
    destination: wrap(createFolder(folder, instanceId)),
    instanceId,
    log,
    readOpenDay: async () => openDay,
  })
}

const never = new AbortController().signal

/** As the loop does it, without waiting for the next full hour. */
export async function runNow(database: Database, writer: WarehouseWriter): Promise<void> {
  await database.pool.query('update warehouse_state set next_run_at = now()')
  await writer.run(never)
}

export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

export function readManifest(folder: string, day: string) {
  return JSON.parse(readFileSync(path.join(folder, `dt=${day}`, '_manifest.json'), 'utf8')) as {
    readonly day: string
    readonly records: number
    readonly cost_nano_usd: string
    readonly files: readonly { readonly name: string; readonly part: number; readonly records: number }[]
  }
}
