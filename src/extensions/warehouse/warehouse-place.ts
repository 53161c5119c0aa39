/** Where files are: the place that `WAREHOUSE_URL` names, and the names of files in it. */
import { fileURLToPath } from 'node:url'

export interface FolderPlace {
  readonly kind: 'folder'
  readonly folder: string
}

export interface BucketPlace {
  readonly kind: 'bucket'
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
}

export type Place = FolderPlace | BucketPlace

/** The configuration has checked the text. */
export function toPlace(url: string, ownRegion: string): Place {
  if (!url.startsWith('s3:')) return { kind: 'folder', folder: url.startsWith('file:') ? fileURLToPath(url) : url }
  const { hostname, pathname, searchParams } = new URL(url)
  const folders = pathname.split('/').filter((part) => part !== '')
  const prefix = folders.map((part) => `${decodeURIComponent(part)}/`).join('')
  return { kind: 'bucket', bucket: hostname, prefix, region: searchParams.get('region') ?? ownRegion }
}

/** A folder of a day, as Hive, Athena, ClickHouse and DuckDB understand it. */
export function toDayFolder(day: string): string {
  return `dt=${day}`
}

/** Two gateways that write to one place by mistake replace no file of each other: the name ends with the instance. */
export function nameFile(day: string, part: number, instanceId: string): string {
  return `causeway-${day}-${String(part).padStart(4, '0')}-${instanceId.slice(-12)}.parquet`
}

/** Readers of a folder skip names that begin with an underscore. */
export const MANIFEST = '_manifest.json'

const SLOWEST_RETRY_MINUTES = 60

/** After so many failures in a row. */
export function retryAfterMinutes(failures: number): number {
  return Math.min(SLOWEST_RETRY_MINUTES, 2 ** Math.min(failures - 1, 10))
}
