/** Writes one Parquet file, a row group at a time, without holding up the requests that this process serves. */
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { ByteWriter, ParquetWriter, SchemaElement } from 'hyparquet-writer'
import type { ColumnKind, SpendColumn, SpendValue } from './spend-columns.ts'

/** Small enough that a column takes milliseconds and a group little memory, and large enough that readers skip most pages. */
const ROWS_IN_GROUP = 3_000

export interface ParquetFile {
  /** One list per column, all of the same length. */
  readonly append: (columns: readonly SpendValue[][]) => Promise<void>
  /** Writes the rest and makes it durable. Returns the size in bytes. */
  readonly finish: () => Promise<number>
  /** After a failure. */
  readonly discard: () => Promise<void>
}

const elements: Record<ColumnKind, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT32' },
  big: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  usd: { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 9 },
}

const toWhole = (value: SpendValue): bigint => BigInt(value as number)
const asIs = (value: SpendValue): SpendValue => value

/** The database gives whole numbers that a double holds exactly. */
const convert: Record<ColumnKind, (value: SpendValue) => unknown> = {
  text: asIs,
  whole: asIs,
  big: toWhole,
  flag: asIs,
  time: (value) => new Date(value as number),
  usd: toWhole,
}

export async function openParquetFile(
  path: string,
  columns: readonly SpendColumn[],
  facts: Readonly<Record<string, string>>,
): Promise<ParquetFile> {
  // Loaded here: most gateways write no files.
  const library = await import('hyparquet-writer')
  const handle = await open(path, 'w')
  const bytes = new library.ByteWriter()
  const writer = new library.ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'spend', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[kind] })),
    ],
    kvMetadata: Object.entries(facts).map(([key, value]) => ({ key, value })),
    createdBy: 'causeway',
  })
  let waiting: SpendValue[][] = columns.map(() => [])
  const writeWaiting = async (): Promise<void> => {
    const rows = waiting
    waiting = columns.map(() => [])
    if ((rows[0]?.length ?? 0) > 0) await writeGroup({ writer, bytes, handle, columns, rows })
  }
  return {
    append: async (more) => {
      for (const [place, values] of more.entries()) waiting[place]?.push(...values)
      if ((waiting[0]?.length ?? 0) >= ROWS_IN_GROUP) await writeWaiting()
    },
    finish: async () => {
      await writeWaiting()
      await writer.finish()
      await moveTo(handle, bytes)
      await handle.sync()
      await handle.close()
      return bytes.offset
    },
    discard: () => handle.close().catch(() => undefined),
  }
}

interface Group {
  readonly writer: ParquetWriter
  readonly bytes: ByteWriter
  readonly handle: FileHandle
  readonly columns: readonly SpendColumn[]
  readonly rows: readonly SpendValue[][]
}

/**
 * The library writes all columns of a group in one go, which takes a tenth of a second and more. Here each column is a group of its
 * own at first, with a pause after it as long as it took: requests have at least half of the processor. In the end the
 * columns are joined into one group. Their bytes stand in the file as they would otherwise.
 */
async function writeGroup({ writer, bytes, handle, columns, rows }: Group): Promise<void> {
  const count = rows[0]?.length ?? 0
  const before = writer.num_rows
  const first = writer.row_groups.length
  for (const [place, { name, kind }] of columns.entries()) {
    const startedMs = performance.now()
    const data = (rows[place] ?? []).map((value) => (value === null ? null : convert[kind](value)))
    // Readers skip groups by time and by nothing else.
    await writer.write({ columnData: [{ name, data, statistics: kind === 'time' }], rowGroupSize: count })
    await moveTo(handle, bytes)
    await delay(performance.now() - startedMs)
  }
  const parts = writer.row_groups.splice(first)
  writer.row_groups.push({
    columns: parts.flatMap((part) => part.columns),
    total_byte_size: parts.reduce((sum, part) => sum + part.total_byte_size, 0n),
    num_rows: BigInt(count),
    total_compressed_size: parts.reduce((sum, part) => sum + (part.total_compressed_size ?? 0n), 0n),
  })
  writer.num_rows = before + BigInt(count)
}

/** From memory to the file. `offset` goes on counting what was written before. */
async function moveTo(handle: FileHandle, bytes: ByteWriter): Promise<void> {
  let at = 0
  while (at < bytes.index) {
    const { bytesWritten } = await handle.write(new Uint8Array(bytes.buffer, at, bytes.index - at))
    at += bytesWritten
  }
  bytes.index = 0
}
