import { createHmac, createPrivateKey, generateKeyPair, randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'

type PrivateJwk = { readonly kty?: string; readonly n?: string; readonly e?: string; readonly d?: string }

export type SigningKey = PrivateJwk & { readonly kid: string; readonly alg: 'RS256'; readonly use: 'sig' }

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' }
}

function encodePart(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url')
}

/** Signs any claim set, also with the algorithms a verifier must refuse. */
export function signToken(
  claims: Readonly<Record<string, unknown>>,
  key: SigningKey,
  alg: 'RS256' | 'HS256' | 'none',
): string {
  const signed = `${encodePart({ alg, typ: 'JWT', kid: key.kid })}.${encodePart(claims)}`
  if (alg === 'none') return `${signed}.`
  // The classic confusion attack signs with the public key as if it were a shared secret.
  if (alg === 'HS256')
    return `${signed}.${createHmac('sha256', JSON.stringify({ n: key.n, e: key.e }))
      .update(signed)
      .digest('base64url')}`
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return `${signed}.${sign('sha256', Buffer.from(signed, 'utf8'), privateKey).toString('base64url')}`
}
