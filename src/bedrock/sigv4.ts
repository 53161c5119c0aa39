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
  const signature = createHmac('sha256', signingKey(credentials, day, scope))
    .update(stringToSign)
    .digest('hex')
  const tokenLine = token === undefined ? '' : `x-amz-security-token: ${token}\r\n`
  return (
    `x-amz-date: ${stamp}\r\nx-amz-content-sha256: ${request.payloadSha256}\r\n${tokenLine}` +
    `authorization: AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeText}, SignedHeaders=${headers.names}, Signature=${signature}\r\n`
  )
}

export function sha256OfPieces(pieces: readonly Buffer[]): string {
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}

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

/** The path on the wire is encoded once more for the signature: `%3A` becomes `%253A`. */
function canonicalPath(path: string): string {
  return encodeUriLabel(path).replaceAll('%2F', '/')
}

function amzDate(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function signingKey(credentials: AwsCredentials, day: string, { region, service }: SigningScope): Buffer {
  let key = Buffer.from(`AWS4${credentials.secretAccessKey}`)
  for (const step of [day, region, service, 'aws4_request']) key = createHmac('sha256', key).update(step).digest()
  return key
}
