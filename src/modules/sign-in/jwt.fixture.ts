/** An identity provider in memory that signs whatever it is told, built on node:crypto so that it shares nothing with the verifier. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { FetchJson } from '../../foundation/platform/outgoing-http.ts'

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export interface TestSigner {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly jwk: Readonly<Record<string, unknown>>
  /** Header and payload as given, text taken literally. */
  readonly signRaw: (header: unknown, payload: unknown) => string
  readonly sign: (payload: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>) => string
}

export function createTestSigner(kid: string, bits = 2048): TestSigner {
  const pair = generateKeyPairSync('rsa', { modulusLength: bits })
  const privateKey = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const publicKey = createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' }))
  const signRaw = (header: unknown, payload: unknown): string => {
    const input = `${encode(header)}.${encode(payload)}`
    return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`
  }
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' },
    signRaw,
    sign: (payload, header = {}) => signRaw({ alg: 'RS256', typ: 'JWT', kid, ...header }, payload),
  }
}

export interface FakeJsonServer {
  readonly fetchJson: FetchJson
  readonly asked: string[]
  readonly answers: Map<string, unknown>
}

/** Answers by URL; an Error is thrown, a function is called, an unknown URL is an unreachable host. */
export function createFakeJsonServer(answers: Readonly<Record<string, unknown>>): FakeJsonServer {
  const known = new Map(Object.entries(answers))
  const asked: string[] = []
  return {
    asked,
    answers: known,
    fetchJson: async (url) => {
      asked.push(url)
      const answer = known.get(url)
      const body: unknown = typeof answer === 'function' ? await answer() : answer
      if (body === undefined) throw new Error('unreachable')
      if (body instanceof Error) throw body
      return { status: 200, headers: {}, body }
    },
  }
}
