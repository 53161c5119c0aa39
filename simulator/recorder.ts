import type { Exchange } from './exchange.ts'

export type RecordedRequest = {
  readonly n: number
  readonly at: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export type Published = {
  readonly at: string
  readonly service: 'sns' | 'events'
  readonly account: string
  readonly region: string
  readonly accepted: boolean
  readonly message: Readonly<Record<string, unknown>>
}

/** Bodies can be large; the memory held for them is bounded no matter how many requests are kept. */
const KEPT_BODY_BYTES = 64 * 1024 * 1024

export type Recorder = {
  request(n: number, exchange: Exchange, limit: number): void
  requests(): readonly RecordedRequest[]
  publish(message: Omit<Published, 'at'>): void
  published(): readonly Published[]
  clear(): void
}

export function createRecorder(): Recorder {
  let requests: RecordedRequest[] = []
  let published: Published[] = []
  let keptBytes = 0
  return {
    request(n, exchange, limit) {
      requests.push({
        n,
        at: new Date().toISOString(),
        method: exchange.method,
        path: exchange.rawQuery === '' ? exchange.rawPath : `${exchange.rawPath}?${exchange.rawQuery}`,
        headers: exchange.request.headers,
        body: exchange.body,
      })
      keptBytes += exchange.body.length
      while (requests.length > limit || (keptBytes > KEPT_BODY_BYTES && requests.length > 0)) {
        keptBytes -= requests.shift()?.body.length ?? 0
      }
    },
    requests: () => requests,
    publish(message) {
      published.push({ at: new Date().toISOString(), ...message })
    },
    published: () => published,
    clear() {
      requests = []
      published = []
      keptBytes = 0
    },
  }
}
