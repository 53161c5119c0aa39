/** Signs requests whose whole body is known, by AWS Signature Version 4. */
import { createHash } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface SigningScope {
  readonly region: string
  readonly service: string
}

export type Fields = Readonly<Record<string, string>>

export interface UnsignedRequest {
  readonly method: string
  /** Path as it goes onto the wire, already percent-encoded once. */
  readonly path: string
  readonly query: Fields
  /** Lower-case names, `host` among them. */
  readonly headers: Fields
  readonly body: readonly Buffer[]
}

/** The headers of the request, and those that carry its signature. */
export async function signHeaders(
  { body, ...request }: UnsignedRequest,
  scope: SigningScope,
  credentials: AwsCredentials,
  nowMs: number,
): Promise<Fields> {
  // Loaded with the first signature: it costs start-up time, and a bearer token never needs it.
  const [{ SignatureV4 }, { Hash }] = await Promise.all([import('@smithy/signature-v4'), import('@smithy/core/serde')])
  const signer = new SignatureV4({ ...scope, credentials, sha256: Hash.bind(null, 'sha256') })
  const headers = { ...request.headers, 'x-amz-content-sha256': sha256OfPieces(body) }
  const unsigned = { ...request, headers, protocol: 'https:', hostname: '' }
  return (await signer.sign(unsigned, { signingDate: new Date(nowMs) })).headers
}

function sha256OfPieces(pieces: readonly Buffer[]): string {
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
