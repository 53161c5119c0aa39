/**
 * Checks AWS signatures, version 4. Our own, because the simulator must not agree with a mistake of the library that
 * signs.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { awsError } from './aws-error.ts'

export type SignedParts = {
  readonly method: string
  readonly rawPath: string
  readonly rawQuery: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

export type SignatureClaim = {
  readonly accessKey: string
  readonly date: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256\s+Credential=([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request,\s*SignedHeaders=([a-z0-9;-]+),\s*Signature=([0-9a-f]{64})$/

export function parseSignatureClaim(authorization: string): SignatureClaim {
  const match = AUTHORIZATION.exec(authorization)
  if (!match) {
    throw awsError(
      403,
      'IncompleteSignatureException',
      'Authorization header requires a SigV4 credential, signed headers and signature.',
    )
  }
  const [, accessKey = '', date = '', region = '', service = '', signedHeaders = '', signature = ''] = match
  return { accessKey, date, region, service, signedHeaders: signedHeaders.split(';'), signature }
}

export function sha256Hex(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Every service but S3 encodes the path it received once more, so `%3A` is signed as `%253A`. */
function canonicalPath(rawPath: string, service: string): string {
  if (service === 's3') return rawPath
  return rawPath.split('/').map(encodeRfc3986).join('/') || '/'
}

function canonicalQuery(rawQuery: string): string {
  if (rawQuery === '') return ''
  return rawQuery
    .split('&')
    .map((pair): [string, string] => {
      const cut = pair.indexOf('=')
      const name = cut < 0 ? pair : pair.slice(0, cut)
      const value = cut < 0 ? '' : pair.slice(cut + 1)
      return [encodeRfc3986(decodeURIComponent(name)), encodeRfc3986(decodeURIComponent(value))]
    })
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function canonicalHeader(parts: SignedParts, name: string): string {
  const value = parts.headers[name]
  if (value === undefined) return `${name}:\n`
  const text = typeof value === 'string' ? value : value.join(',')
  return `${name}:${text.trim().replace(/ +/g, ' ')}\n`
}

// Deriving the key costs four HMACs; a load test signs thousands of requests with the same scope.
const signingKeys = new Map<string, Buffer>()

function signingKey(secretKey: string, claim: SignatureClaim): Buffer {
  const cacheKey = `${secretKey}\n${claim.date}\n${claim.region}\n${claim.service}`
  const known = signingKeys.get(cacheKey)
  if (known) return known
  let key: Buffer = Buffer.from(`AWS4${secretKey}`, 'utf8')
  for (const part of [claim.date, claim.region, claim.service, 'aws4_request']) {
    key = createHmac('sha256', key).update(part).digest()
  }
  if (signingKeys.size > 1000) signingKeys.clear()
  signingKeys.set(cacheKey, key)
  return key
}

export function expectedSignature(
  parts: SignedParts,
  claim: SignatureClaim,
  secretKey: string,
  bodyHash: string,
): string {
  const canonicalRequest = [
    parts.method,
    canonicalPath(parts.rawPath, claim.service),
    canonicalQuery(parts.rawQuery),
    claim.signedHeaders.map((name) => canonicalHeader(parts, name)).join(''),
    claim.signedHeaders.join(';'),
    bodyHash,
  ].join('\n')
  const amzDate = parts.headers['x-amz-date'] ?? ''
  const scope = `${claim.date}/${claim.region}/${claim.service}/aws4_request`
  const toSign = `AWS4-HMAC-SHA256\n${amzDate}\n${scope}\n${sha256Hex(canonicalRequest)}`
  return createHmac('sha256', signingKey(secretKey, claim)).update(toSign).digest('hex')
}

export function isSameSignature(a: string, b: string): boolean {
  const left = Buffer.from(a, 'utf8')
  const right = Buffer.from(b, 'utf8')
  return left.length === right.length && timingSafeEqual(left, right)
}

export function parseAmzDate(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (!match) return undefined
  const [, y, mo, d, h, mi, s] = match
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s))
}

export function toAmzDate(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
