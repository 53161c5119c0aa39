/** AWS Signature Version 4 for requests whose whole body is known. */
import { createHash, createHmac, hash } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface SigningScope {
  readonly region: string
  readonly service: string
}

export interface UnsignedRequest {
  readonly method: string
  readonly host: string
  /** Path as it goes onto the wire, already percent-encoded once. */
  readonly path: string
  /** Query as `canonicalQuery` writes it, without the question mark. */
  readonly query: string
  readonly contentType: string | undefined
  /** Lower-case names. */
  readonly extraHeaders?: Readonly<Record<string, string>>
  readonly payloadSha256: string
}

/** Request headers that carry the signature, each line ended, `host` and `content-type` not among them. */
export function signatureHeaderLines(
  request: UnsignedRequest,
  scope: SigningScope,
  credentials: AwsCredentials,
  nowMs: number,
): string {
  const stamp = amzDate(nowMs)
  const day = stamp.slice(0, 8)
  const token = credentials.sessionToken
  const headers = canonicalHeaders(request, stamp, token)
  const canonicalRequest = `${request.method}\n${canonicalPath(request.path)}\n${request.query}\n${headers.lines}\n${headers.names}\n${request.payloadSha256}`
  const scopeText = `${day}/${scope.region}/${scope.service}/aws4_request`
  const stringToSign = `AWS4-HMAC-SHA256\n${stamp}\n${scopeText}\n${hash('sha256', canonicalRequest)}`
  const signature = hmacHex(signingKey(credentials, day, scope), stringToSign)
  const tokenLine = token === undefined ? '' : `x-amz-security-token: ${token}\r\n`
  return (
    `x-amz-date: ${stamp}\r\nx-amz-content-sha256: ${request.payloadSha256}\r\n${tokenLine}` +
    `authorization: AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeText}, SignedHeaders=${headers.names}, Signature=${signature}\r\n`
  )
}

export function sha256OfPieces(pieces: readonly Buffer[]): string {
  let bytes = 0
  for (const piece of pieces) bytes += piece.length
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return hash('sha256', first)
  if (bytes <= scratch.length) {
    let end = 0
    for (const piece of pieces) end += piece.copy(scratch, end)
    return hash('sha256', scratch.subarray(0, end))
  }
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}

/** What is hashed in one piece is put together here; up to this size that costs less than a hash object. */
const scratch = Buffer.alloc(32_768)

/** RFC 3986: `encodeURIComponent` leaves five characters that AWS encodes. */
export function encodeUriLabel(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function canonicalQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeUriLabel(name)}=${encodeUriLabel(value)}`)
    .sort()
    .join('&')
}

interface CanonicalHeaders {
  readonly lines: string
  readonly names: string
}

function canonicalHeaders(request: UnsignedRequest, stamp: string, token: string | undefined): CanonicalHeaders {
  const { contentType, host, payloadSha256, extraHeaders } = request
  if (extraHeaders === undefined && contentType !== undefined) {
    const lines = `content-type:${contentType}\nhost:${host}\nx-amz-content-sha256:${payloadSha256}\nx-amz-date:${stamp}\n`
    const names = 'content-type;host;x-amz-content-sha256;x-amz-date'
    return token === undefined
      ? { lines, names }
      : { lines: `${lines}x-amz-security-token:${token}\n`, names: `${names};x-amz-security-token` }
  }
  const all: Record<string, string> = { ...extraHeaders, host }
  all['x-amz-content-sha256'] = payloadSha256
  all['x-amz-date'] = stamp
  if (contentType !== undefined) all['content-type'] = contentType
  if (token !== undefined) all['x-amz-security-token'] = token
  const names = Object.keys(all).sort()
  const lines = names.map((name) => `${name}:${(all[name] ?? '').trim().replace(/\s+/g, ' ')}\n`).join('')
  return { lines, names: names.join(';') }
}

const maxRememberedPaths = 2_000
const canonicalPaths = new Map<string, string>()

/** The path on the wire is encoded once more for the signature: `%3A` becomes `%253A`. */
function canonicalPath(path: string): string {
  const known = canonicalPaths.get(path)
  if (known !== undefined) return known
  const encoded = encodeUriLabel(path).replaceAll('%2F', '/')
  if (canonicalPaths.size >= maxRememberedPaths) canonicalPaths.clear()
  canonicalPaths.set(path, encoded)
  return encoded
}

let stampSecond = -1
let stampText = ''

function amzDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  if (second !== stampSecond) {
    stampText = `${new Date(second * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
    stampSecond = second
  }
  return stampText
}

const HMAC_BLOCK_BYTES = 64
const HASH_BYTES = 32

/** The two beginnings of an HMAC (RFC 2104), which depend on the key alone. */
interface HmacPads {
  readonly inner: Buffer
  readonly outer: Buffer
}

function hmacPads(key: Buffer): HmacPads {
  const inner = Buffer.alloc(HMAC_BLOCK_BYTES, 0x36)
  const outer = Buffer.alloc(HMAC_BLOCK_BYTES + HASH_BYTES, 0x5c)
  for (const [index, byte] of key.entries()) {
    inner[index] = 0x36 ^ byte
    outer[index] = 0x5c ^ byte
  }
  return { inner, outer }
}

/** As two hashes in one piece each: an HMAC object costs more than what it computes, and again when it is collected. */
function hmacHex({ inner, outer }: HmacPads, text: string): string {
  inner.copy(scratch)
  const end = HMAC_BLOCK_BYTES + scratch.write(text, HMAC_BLOCK_BYTES, 'latin1')
  outer.write(hash('sha256', scratch.subarray(0, end), 'latin1'), HMAC_BLOCK_BYTES, 'latin1')
  return hash('sha256', outer)
}

interface DayKeys {
  readonly day: string
  readonly keys: Map<string, HmacPads>
}

/** Keys die with their credentials, and yesterday's keys with the day. */
const keysOfCredentials = new WeakMap<AwsCredentials, DayKeys>()

function signingKey(credentials: AwsCredentials, day: string, scope: SigningScope): HmacPads {
  let dayKeys = keysOfCredentials.get(credentials)
  if (dayKeys === undefined || dayKeys.day !== day) {
    dayKeys = { day, keys: new Map() }
    keysOfCredentials.set(credentials, dayKeys)
  }
  const scopeName = `${scope.region}/${scope.service}`
  const known = dayKeys.keys.get(scopeName)
  if (known !== undefined) return known
  const steps = [day, scope.region, scope.service, 'aws4_request']
  let key: Buffer = Buffer.from(`AWS4${credentials.secretAccessKey}`)
  for (const step of steps) key = createHmac('sha256', key).update(step).digest()
  const pads = hmacPads(key)
  dayKeys.keys.set(scopeName, pads)
  return pads
}
