/** Kinds of failure of the hosted service, and what each allows. */

export type ProviderFailureKind =
  /** Refused, reset, cut or silent before an answer came. */
  | 'unreachable'
  /** The answer broke the wire format: a bad checksum, a cut frame, an unreadable head. */
  | 'broken'
  /** The hosted service answered with an error status, or an exception inside the stream. */
  | 'answered'
  /** The gateway's own credentials for this endpoint could not be had. */
  | 'credentials'

export interface ProviderFailure {
  readonly kind: ProviderFailureKind
  /** HTTP status of the hosted service; for the other kinds the one that says it best (502, 504). */
  readonly status: number
  /** AWS exception name without namespace, such as `ThrottlingException`; empty when unknown. */
  readonly name: string
  /** The hosted service's own words. May name ARNs and accounts: clean before showing. */
  readonly message: string
  readonly retryAfterSeconds: number | null
  /** The connection ended or fell silent inside the response. Everything that came before it is intact. */
  readonly isConnectionLost?: true
  /** What something other than the hosted service wrote, such as a proxy. For the log only: `message` holds none of it. */
  readonly foreignText?: string
}

/** spec: Errors 2 names 429 and 5xx; 408 (model timeout) and 424 (model error) are failures of the endpoint too. */
export function mayFailOver(failure: ProviderFailure): boolean {
  return failure.status === 429 || failure.status >= 500 || failure.status === 408 || failure.status === 424
}

/** The token service writes `ExpiredToken` where the others write `ExpiredTokenException`. */
const credentialRefusals = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
])

/** The credentials were refused as such, by the name of the failure: others may be taken. */
export function isCredentialRefusal(name: string): boolean {
  return credentialRefusals.has(name)
}
