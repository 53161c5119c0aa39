import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SourceData } from '@smithy/types'
import fc from 'fast-check'
import { defined } from '../foundation/platform/defined.ts'
import { canonicalQuery, encodeUriLabel, sha256OfPieces, signatureHeaderLines } from './sigv4.ts'

function bytesOf(data: SourceData): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  return data instanceof ArrayBuffer
    ? Buffer.from(data)
    : Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
}

/** The hash that the vendor's signer asks for, on Node's own functions. */
class Sha256 {
  readonly #secret: SourceData | undefined
  readonly #pieces: Buffer[] = []

  constructor(secret?: SourceData) {
    this.#secret = secret
  }

  update(data: SourceData): void {
    this.#pieces.push(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    const hash = this.#secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(this.#secret))
    for (const piece of this.#pieces) hash.update(piece)
    return hash.digest()
  }

  reset(): void {
    this.#pieces.length = 0
  }
}

const credentials = fc.record(
  {
    accessKeyId: fc.stringMatching(/^[A-Z0-9]{16,20}$/),
    secretAccessKey: fc.string({ minLength: 1, maxLength: 40, size: 'max' }),
    sessionToken: fc.stringMatching(/^[A-Za-z0-9+/=]{1,300}$/),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
)

const extraHeaders = fc.dictionary(
  fc.stringMatching(/^x-amzn-[a-z]{1,12}$/),
  fc.stringMatching(/^[ -~]{1,30}$/).filter((value) => value.trim() !== ''),
  { maxKeys: 3 },
)

const request = fc.record({
  credentials,
  extraHeaders: fc.option(extraHeaders, { nil: undefined }),
  modelId: fc
    .string({ minLength: 1, maxLength: 80, size: 'max', unit: 'grapheme' })
    .filter((id) => id !== '.' && id !== '..'),
  region: fc.constantFrom('us-east-1', 'eu-west-1', 'cn-north-1'),
  service: fc.constantFrom('bedrock', 'servicequotas'),
  query: fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), fc.string({ maxLength: 20, size: 'max' }), { maxKeys: 3 }),
  body: fc.array(fc.uint8Array({ maxLength: 50, size: 'max' }), { maxLength: 4 }),
  nowMs: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
  method: fc.constantFrom('GET', 'POST'),
  contentType: fc.constantFrom('application/json', 'application/x-amz-json-1.1', undefined),
})

function isEncodable(text: string): boolean {
  return text.isWellFormed()
}

test("every request is signed exactly as the vendor's own signer signs it", async () => {
  await fc.assert(
    fc.asyncProperty(request, async (given) => {
      fc.pre(isEncodable(given.modelId) && Object.values(given.query).every(isEncodable))
      const host = `bedrock-runtime.${given.region}.amazonaws.com`
      const pieces = given.body.map((piece) => Buffer.from(piece))
      const path = `/prefix/model/${encodeUriLabel(given.modelId)}/invoke`
      const lines = signatureHeaderLines(
        {
          method: given.method,
          host,
          path,
          query: canonicalQuery(given.query),
          contentType: given.contentType,
          payloadSha256: sha256OfPieces(pieces),
          ...defined({ extraHeaders: given.extraHeaders }),
        },
        { region: given.region, service: given.service },
        given.credentials,
        given.nowMs,
      )
      const signer = new SignatureV4({
        credentials: given.credentials,
        region: given.region,
        service: given.service,
        sha256: Sha256,
      })
      const signed = await signer.sign(
        {
          method: given.method,
          protocol: 'https:',
          hostname: host,
          path,
          query: given.query,
          headers: {
            host,
            ...defined({ 'content-type': given.contentType }),
            ...given.extraHeaders,
          },
          body: Buffer.concat(pieces),
        },
        { signingDate: new Date(given.nowMs) },
      )
      assert.ok(lines.includes(`authorization: ${signed.headers['authorization']}\r\n`), lines)
    }),
    { numRuns: 300 },
  )
})
