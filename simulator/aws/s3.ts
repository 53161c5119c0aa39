/** Just enough of S3 for a program that writes files: PUT, GET and LIST, with the bucket in the path. */
import { createHash } from 'node:crypto'
import { sendText } from '../exchange.ts'
import { awsError } from './aws-error.ts'
import type { Call } from './call.ts'
import { escapeXml } from './xml-reply.ts'

export type ObjectPlace = { readonly bucket: string; readonly key: string }

/** A bucket whose name starts with `missing` does not exist, any other one does. */
function requireBucket({ state }: Call, name: string): Map<string, Buffer> {
  if (name.startsWith('missing')) throw awsError(404, 'NoSuchBucket', 'The specified bucket does not exist')
  const objects = state.buckets.get(name) ?? new Map()
  state.buckets.set(name, objects)
  return objects
}

/** An upload that was cut short or changed on its way leaves no object. */
export function putObject(call: Call, { bucket, key }: ObjectPlace): void {
  const { body, request, response } = call.exchange
  const objects = requireBucket(call, bucket)
  const declared = request.headers['x-amz-checksum-sha256']
  if (declared === undefined) throw awsError(400, 'InvalidRequest', 'This simulator wants x-amz-checksum-sha256')
  if (declared !== createHash('sha256').update(body).digest('base64'))
    throw awsError(400, 'BadDigest', 'The SHA256 you specified did not match the calculated checksum.')
  if (Number(request.headers['content-length']) !== body.length)
    throw awsError(400, 'IncompleteBody', 'You did not provide the number of bytes specified by Content-Length')
  objects.set(key, Buffer.from(body))
  finish(call)
  sendText(response, 200, '', { 'x-amz-request-id': call.entry.requestId, etag: `"${objects.size}"` })
}

export function getObject(call: Call, { bucket, key }: ObjectPlace): void {
  const found = requireBucket(call, bucket).get(key)
  if (found === undefined) throw awsError(404, 'NoSuchKey', 'The specified key does not exist.')
  finish(call)
  call.exchange.response.writeHead(200, { 'content-length': found.length, 'x-amz-request-id': call.entry.requestId })
  call.exchange.response.end(found)
}

/** Everything below the prefix in one page. */
export function listObjects(call: Call, bucket: string): void {
  const prefix = call.exchange.query.get('prefix') ?? ''
  const found = [...requireBucket(call, bucket)].filter(([key]) => key.startsWith(prefix)).sort()
  const contents = found
    .map(([key, bytes]) => `<Contents><Key>${escapeXml(key)}</Key><Size>${bytes.length}</Size></Contents>`)
    .join('')
  finish(call)
  sendText(
    call.exchange.response,
    200,
    `<ListBucketResult><Name>${escapeXml(bucket)}</Name><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`,
    { 'content-type': 'application/xml', 'x-amz-request-id': call.entry.requestId },
  )
}

function finish({ entry }: Call): void {
  entry.status = 200
  entry.completed = true
}
