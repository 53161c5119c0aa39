/** A bucket of S3 or of a service that speaks its protocol. A file is complete on this machine before it is sent. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Destination } from './destination.ts'
import type { BucketPlace } from './warehouse-place.ts'

/** What one upload takes. */
const MOST_BYTES = 5 * 1024 ** 3
/** A file of the largest size within this time needs 3 MB a second. */
const FILE_TIMEOUT_MS = 1_800_000
const TEXT_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000
/** Without a byte on the connection. */
const SILENCE_TIMEOUT_MS = 60_000

export interface BucketOptions {
  readonly place: BucketPlace
  /** Where files are before they are sent. */
  readonly temporaryFolder: string
  readonly instanceId: string
  /** A service with an address of its own has its buckets in the path. */
  readonly hasOwnEndpoint: boolean
}

interface Upload {
  readonly key: string
  readonly body: string | (() => NodeJS.ReadableStream)
  readonly bytes: number
  readonly sha256: string
  readonly contentType: string
  readonly timeoutMs: number
}

export function createBucket({ place, temporaryFolder, instanceId, hasOwnEndpoint }: BucketOptions): Destination {
  let opened: Promise<S3Client> | undefined
  const open = async (): Promise<S3Client> => {
    // Loaded here: most gateways write no files.
    const { S3Client } = await import('@aws-sdk/client-s3')
    return new S3Client({
      region: place.region,
      forcePathStyle: hasOwnEndpoint,
      // A body cannot be sent a second time. The next run tries the whole file again.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
    })
  }
  const send = async (upload: Upload): Promise<void> => {
    const { PutObjectCommand } = await import('@aws-sdk/client-s3')
    opened ??= open()
    const client = await opened
    const { body } = upload
    const command = new PutObjectCommand({
      Bucket: place.bucket,
      Key: `${place.prefix}${upload.key}`,
      Body: (typeof body === 'string' ? body : body()) as string,
      ContentLength: upload.bytes,
      ContentType: upload.contentType,
      // The service refuses what arrives otherwise.
      ChecksumSHA256: upload.sha256,
    })
    await client.send(command, { abortSignal: AbortSignal.timeout(upload.timeoutMs) })
  }
  return {
    prepare: async (_folder, name) => {
      await mkdir(temporaryFolder, { recursive: true })
      // One file is written at a time, so whatever is here was left behind.
      for (const found of await readdir(temporaryFolder)) await rm(path.join(temporaryFolder, found), { force: true })
      return path.join(temporaryFolder, `${name}.${instanceId}`)
    },
    publish: async (from, folder, name) => {
      const { size } = await stat(from)
      if (size > MOST_BYTES) throw new Error(`${name} has more than 5 GiB, which is the most that one upload takes`)
      await send({
        key: `${folder}/${name}`,
        body: () => createReadStream(from),
        bytes: size,
        sha256: await hashFile(from),
        contentType: 'application/vnd.apache.parquet',
        timeoutMs: FILE_TIMEOUT_MS,
      })
    },
    publishText: (text, folder, name) =>
      send({
        key: `${folder}/${name}`,
        body: text,
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('base64'),
        contentType: 'application/json',
        timeoutMs: TEXT_TIMEOUT_MS,
      }),
    close: () => {
      opened?.then(
        (client) => client.destroy(),
        // One that was never made needs no end; its user has the error.
        () => undefined,
      )
    },
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('base64')
}
