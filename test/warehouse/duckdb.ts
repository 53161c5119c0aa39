/** Reads the files as a data team would: with a program that knows nothing about the gateway. */
import { DuckDBInstance, type Json } from '@duckdb/node-api'

export type Row = Readonly<Record<string, Json>>

/** Whole numbers beyond 2^53 and decimals are text. */
export async function askDuckDb(statement: string, prepare?: string): Promise<readonly Row[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    // The files have no time zone; times are those of UTC.
    await connection.run(`set TimeZone = 'UTC'`)
    if (prepare !== undefined) await connection.run(prepare)
    return (await connection.runAndReadAll(statement)).getRowObjectsJson() as Row[]
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Every file of a place, with the day of its folder as the column `dt`. */
export function fromFiles(folder: string): string {
  return `read_parquet('${folder}/dt=*/*.parquet', hive_partitioning = true, hive_types = {'dt': date})`
}
