/** Calls the message routes the way tests need it: raw bodies, events as they arrive, records and gauges awaited. */
import http from 'node:http'
import type { Database } from '../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import type { TestGateway } from '../support/gateway.ts'

export interface SseEvent {
  readonly event: string
  readonly data: string
}

export interface StreamedAnswer {
  readonly response: Response
  readonly events: readonly SseEvent[]
  readonly text: string
}

export const hello = {
  model: 'claude-sonnet-5',
  max_tokens: 200,
  messages: [{ role: 'user', content: 'Hello' }],
} as const

type Body = object | string | Buffer

export function post(
  gateway: Pick<TestGateway, 'url'>,
  key: string,
  body: Body,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    readonly path?: string
  } = {},
): Promise<Response> {
  return fetch(`${gateway.url}${options.path ?? '/v1/messages'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...options.headers },
    body: toBytes(body),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
}

function toBytes(body: Body): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body)
}

/** A small call from an address of this machine, such as `127.0.0.2`; gives its status. */
export function callFrom(
  localAddress: string,
  gateway: Pick<TestGateway, 'url'>,
  key: string,
  model = 'claude-sonnet-5',
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const options = { localAddress, method: 'POST', headers }
    const request = http.request(`${gateway.url}/v1/messages`, options, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject)
    request.end(JSON.stringify({ ...hello, model }))
  })
}

/** Reads a stream to its end, whichever end that is. */
export async function stream(
  gateway: Pick<TestGateway, 'url'>,
  key: string,
  body: Readonly<Record<string, unknown>> = hello,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamedAnswer> {
  const response = await post(gateway, key, { ...body, stream: true }, { headers })
  const text = await response.text()
  return { response, text, events: parseEvents(text) }
}

export function parseEvents(text: string): SseEvent[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const lines = part.split('\n')
      const readField = (name: string): string =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
      return { event: readField('event'), data: readField('data') }
    })
}

export interface ErrorBody {
  readonly type: string
  readonly error: {
    readonly type: string
    readonly message: string
    readonly code?: string
    readonly details?: readonly { readonly path: string; readonly message: string }[]
  }
  readonly request_id: string
}

export async function toErrorContent(response: Response): Promise<ErrorBody> {
  return (await response.json()) as ErrorBody
}

export function requestIdOf(response: Response): string {
  return response.headers.get('request-id') ?? ''
}

/** Waits for the record of a call; the runner's own limit ends a wait for one that never comes. */
export async function recordsOf(gateway: TestGateway, requestId: string): Promise<readonly SpendRecord[]> {
  const { database } = gateway
  if (database === undefined) throw new Error('this gateway has no database')
  const log = createSpendLog(database.kysely)
  return await until(async () => {
    const found = await log.find(requestId)
    return found.length > 0 ? found : undefined
  })
}

export async function asEvent(gateway: TestGateway, requestId: string): Promise<SpendRecord> {
  const [record, ...others] = await recordsOf(gateway, requestId)
  if (record === undefined || others.length > 0) throw new Error(`${others.length + 1} records for ${requestId}`)
  return record
}

/** Of calls made with keys; the gateway's own probes are recorded too. */
export async function countRecords(gateway: TestGateway): Promise<number> {
  const { database } = gateway
  if (database === undefined) throw new Error('this gateway has no database')
  const row = await database.kysely
    .selectFrom('spend_log')
    .select((eb) => eb.fn.countAll<string | number | bigint>().as('rows'))
    .where('key_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.rows)
}

const PROBES_QUIET_MS = 300

/** The probes after a start are calls like any other to the simulator: they would take scripts and stand in its ledger. */
export async function untilProbed(database: Database | undefined): Promise<void> {
  if (database === undefined) throw new Error('without a database nothing is probed')
  const { kysely } = database
  let last = ''
  let sinceMs = performance.now()
  await untilTrue(async () => {
    const endpoints = await kysely.selectFrom('endpoints').select('id').where('enabled', '=', true).execute()
    const probes = await kysely
      .selectFrom('capability_probes')
      .select(['endpoint_id', 'next_at', 'settled_at'])
      .execute()
    const isOver = probes.every((probe) => probe.settled_at !== null || probe.next_at.getTime() > Date.now())
    const probed = new Set(probes.map((probe) => probe.endpoint_id))
    const state = `${probes.length} ${isOver && endpoints.length > 0 && endpoints.every(({ id }) => probed.has(id))}`
    if (state !== last) sinceMs = performance.now()
    last = state
    return state.endsWith('true') && performance.now() - sinceMs > PROBES_QUIET_MS
  })
}

export async function gaugeOf(gateway: Pick<TestGateway, 'url'>, name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
}

/** Only ends a wait for something that never comes. */
const TIMEOUT_MS = 120_000

/** Asks again until there is something. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const found = await ask()
    if (found !== undefined) return found
    if (performance.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms: ${ask.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export async function untilTrue(ask: () => boolean | Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<void> {
  await until(async () => ((await ask()) ? true : undefined), timeoutMs)
}
