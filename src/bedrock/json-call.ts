/** Asks a control-plane operation and gives its JSON answer; every failure is a `ProviderError`. */
import { performance } from 'node:perf_hooks'
import { broken, ProviderError, parseObject } from './failures.ts'
import type { ServiceCaller, ServiceRequest } from './service-caller.ts'
import { SuccessFilter } from './success-filter.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const maxAnswerBytes = 16 * 1024 * 1024

export type JsonRequest = Omit<ServiceRequest, 'plainLines' | 'firstByteTimeoutMs' | 'body'> & {
  readonly body?: Buffer
}

const answerTimeoutMs = 15_000
/** One that trickles in is never silent. */
const wholeAnswerMs = 30_000

export function callForJson(service: ServiceCaller, request: JsonRequest): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let totalBytes = 0
    const filter = new SuccessFilter({
      onHead: () => filter.call?.limitRest(answerTimeoutMs, wholeAnswerMs),
      onData(bytes, start, end) {
        totalBytes += end - start
        if (totalBytes <= maxAnswerBytes) {
          pieces.push(Buffer.from(bytes.subarray(start, end)))
        } else {
          filter.call?.abort()
          reject(new ProviderError(broken('the answer is too large')))
        }
      },
      onReadEnd: () => undefined,
      onEnd() {
        const answer = parseObject(Buffer.concat(pieces).toString('utf8'))
        if (answer === undefined) reject(new ProviderError(broken('the answer is not a JSON object')))
        else resolve(answer)
      },
      onFailure(failure) {
        service.noteRefusal(request.endpoint, failure)
        reject(new ProviderError(failure))
      },
    })
    filter.call = service.send(
      {
        ...request,
        body: request.body === undefined ? [] : [request.body],
        plainLines: 'accept: application/json\r\n',
        firstByteTimeoutMs: answerTimeoutMs,
      },
      filter,
    )
  })
}

/** An account has a dozen pages of quotas, and fewer of anything else. */
const maxPages = 500
const maxItems = 100_000
const allPagesMs = 120_000

/** Follows page tokens to the end. A service that repeats a token, or has always one more, would keep us busy for ever. */
export async function collectPages<T>(
  readPage: (token: string | undefined) => Promise<{ readonly items: readonly T[]; readonly next: unknown }>,
): Promise<readonly T[]> {
  const items: T[] = []
  const seen = new Set<string>()
  const startedMs = performance.now()
  let token: string | undefined
  for (;;) {
    const page = await readPage(token)
    for (const item of page.items) items.push(item)
    if (typeof page.next !== 'string' || page.next === '') return items
    const isEndless = seen.size + 1 >= maxPages || items.length > maxItems
    if (isEndless || performance.now() - startedMs > allPagesMs)
      throw new ProviderError(broken('the list of the hosted service has no end'))
    if (seen.has(page.next)) throw new ProviderError(broken('the hosted service repeats a page token'))
    seen.add(page.next)
    token = page.next
  }
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return []
  return value.filter((item): item is JsonObject => typeof item === 'object' && item !== null)
}

export function textIn(fields: JsonObject, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
