import { type Exchange, readHeader } from '../exchange.ts'
import type { Accounts, Credential } from './accounts.ts'
import { type AwsError, awsError } from './aws-error.ts'
import {
  expectedSignature,
  isSameSignature,
  parseAmzDate,
  parseSignatureClaim,
  type SignatureClaim,
  toAmzDate,
} from './sigv4.ts'

export type Caller = {
  readonly accessKey: string
  readonly account: string
  readonly region: string
  readonly roleArn?: string
  readonly externalId?: string
  readonly sessionName?: string
}

export type AuthenticationRules = {
  readonly service: string
  /** Form-encoded services name the same refusals differently from the JSON ones. */
  readonly protocol: 'rest' | 'json' | 'query' | 'xml'
  readonly nowMs: number
  readonly clockSkewSeconds: number
  readonly bodySha256: string
}

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'

/** Decides who is calling, or refuses with the name the real service uses. */
export function authenticate(exchange: Exchange, accounts: Accounts, rules: AuthenticationRules): Caller {
  const authorization = readHeader(exchange, 'authorization')
  if (authorization === undefined) {
    throw awsError(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
  }
  if (authorization.startsWith('Bearer ')) return authenticateBearer(authorization.slice(7), accounts, rules)
  const claim = parseSignatureClaim(authorization)
  const credential = accounts.credentials.get(claim.accessKey)
  if (!credential) throw unknownKey(rules)
  checkScope(claim, rules)
  checkSignature(exchange, claim, credential, rules)
  checkSession(exchange, credential, rules)
  return {
    accessKey: credential.accessKey,
    account: credential.account,
    region: claim.region,
    ...(credential.roleArn === undefined ? {} : { roleArn: credential.roleArn }),
    ...(credential.externalId === undefined ? {} : { externalId: credential.externalId }),
    ...(credential.sessionName === undefined ? {} : { sessionName: credential.sessionName }),
  }
}

function authenticateBearer(key: string, accounts: Accounts, rules: AuthenticationRules): Caller {
  const bearer = accounts.bearerKeys.get(key)
  if (!bearer || rules.service !== 'bedrock') {
    throw awsError(403, 'AccessDeniedException', 'Authentication failed: Please make sure your API Key is valid.')
  }
  return { accessKey: `bearer:${bearer.key.slice(-6)}`, account: bearer.account, region: bearer.region }
}

function unknownKey(rules: AuthenticationRules): AwsError {
  const types = { query: 'InvalidClientTokenId', xml: 'InvalidAccessKeyId' } as Readonly<Record<string, string>>
  const type = types[rules.protocol] ?? 'UnrecognizedClientException'
  return awsError(403, type, 'The security token included in the request is invalid.')
}

function signatureError(rules: AuthenticationRules, message: string): AwsError {
  return awsError(
    403,
    ['query', 'xml'].includes(rules.protocol) ? 'SignatureDoesNotMatch' : 'InvalidSignatureException',
    message,
  )
}

function checkScope(claim: SignatureClaim, rules: AuthenticationRules): void {
  if (claim.service !== rules.service) {
    throw signatureError(rules, `Credential should be scoped to correct service: '${rules.service}'.`)
  }
}

function checkSignature(
  exchange: Exchange,
  claim: SignatureClaim,
  credential: Credential,
  rules: AuthenticationRules,
): void {
  const amzDate = readHeader(exchange, 'x-amz-date') ?? ''
  const signedAtMs = parseAmzDate(amzDate)
  if (signedAtMs === undefined || !amzDate.startsWith(claim.date)) {
    throw signatureError(
      rules,
      'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP',
    )
  }
  for (const needed of ['host', 'x-amz-date']) {
    if (!claim.signedHeaders.includes(needed)) throw signatureError(rules, `'${needed}' must be a signed header.`)
  }
  const skewMs = rules.clockSkewSeconds * 1000
  if (signedAtMs < rules.nowMs - skewMs) {
    const edge = toAmzDate(rules.nowMs - skewMs)
    throw signatureError(
      rules,
      `Signature expired: ${amzDate} is now earlier than ${edge} (${toAmzDate(rules.nowMs)} - ${skewMs / 60_000} min.)`,
    )
  }
  if (signedAtMs > rules.nowMs + skewMs) {
    const edge = toAmzDate(rules.nowMs + skewMs)
    throw signatureError(
      rules,
      `Signature not yet current: ${amzDate} is still later than ${edge} (${toAmzDate(rules.nowMs)} + ${skewMs / 60_000} min.)`,
    )
  }
  const declared = readHeader(exchange, 'x-amz-content-sha256')
  // Objects are sent while they are read: their checksum is a header of its own, which is signed.
  const isUnsigned = rules.service === 's3' && declared === 'UNSIGNED-PAYLOAD'
  if (declared !== undefined && declared !== rules.bodySha256 && !isUnsigned) throw signatureError(rules, MISMATCH)
  const parts = {
    method: exchange.method,
    rawPath: exchange.rawPath,
    rawQuery: exchange.rawQuery,
    headers: exchange.request.headers,
    body: exchange.body,
  }
  const expected = expectedSignature(parts, claim, credential.secretKey, isUnsigned ? declared : rules.bodySha256)
  if (!isSameSignature(expected, claim.signature)) throw signatureError(rules, MISMATCH)
}

function checkSession(exchange: Exchange, credential: Credential, rules: AuthenticationRules): void {
  if (!credential.tokens) return
  const token = readHeader(exchange, 'x-amz-security-token')
  const expiresAtMs = token === undefined ? undefined : credential.tokens.get(token)
  if (expiresAtMs === undefined) throw unknownKey(rules)
  if (expiresAtMs <= rules.nowMs) {
    const type = rules.protocol === 'query' ? 'ExpiredToken' : 'ExpiredTokenException'
    throw awsError(403, type, 'The security token included in the request is expired')
  }
}
