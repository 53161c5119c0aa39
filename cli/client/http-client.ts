/** Talks to a gateway over HTTP. Every refusal becomes an error with the exit code and the next step that fit it. */

import { Readable } from 'node:stream'
import { defined } from '../../src/foundation/platform/defined.ts'
import type { Row } from '../output/render.ts'
import { CliError, type ExitName } from '../terminal/cli-error.ts'
import { followProxy, proxyNames } from './proxy.ts'

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Client {
  readonly base: string
  readonly get: (path: string, query?: Query) => Promise<Row>
  /** On a connection of its own: a load balancer, and a gateway of several workers, may choose another instance for it. */
  readonly getFromAny: (path: string, query: Query) => Promise<Row>
  readonly send: (method: Method, path: string, body?: unknown) => Promise<Row>
  /** An answer that is read as it comes; there is no limit for the whole. */
  readonly open: (path: string, query?: Query, accept?: string) => Promise<Response>
  /** Sends a file as it is read; there is no limit for the whole. */
  readonly upload: (path: string, query: Query, file: Readable) => Promise<Row>
  /** The status and the parsed body, whatever the status is. */
  readonly ask: (
    method: Method,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: Row }>
}

export interface ClientOptions {
  readonly base: string
  readonly token: string | undefined
  readonly signal: AbortSignal
  readonly userAgent: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 60_000

export function createClient({ base, token, signal, userAgent, timeoutMs = TIMEOUT_MS }: ClientOptions): Client {
  const request = async (
    method: Method,
    path: string,
    parts: { body?: unknown; file?: Readable; query?: Query; accept?: string; limit?: boolean; keep?: boolean },
  ) => {
    const url = new URL(`${base.replace(/\/$/, '')}${path}`)
    for (const [name, value] of Object.entries(parts.query ?? {}))
      if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value))
    const headers = {
      'user-agent': userAgent,
      ...defined({ accept: parts.accept }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(parts.file === undefined ? {} : { 'content-type': 'text/csv' }),
      ...(parts.keep === false ? { connection: 'close' } : {}),
    }
    const limits = parts.limit === false ? [signal] : [signal, AbortSignal.timeout(timeoutMs)]
    await followProxy()
    const response = await fetch(url, {
      method,
      headers,
      // A redirect would carry the token to wherever it points.
      redirect: 'error',
      signal: AbortSignal.any(limits),
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      ...(parts.file === undefined
        ? {}
        : { body: Readable.toWeb(parts.file) as unknown as ReadableStream, duplex: 'half' as const }),
    }).catch(endedBy(url))
    // Before the answer is believed: any server can say "done" in JSON, only a gateway numbers what it was asked.
    if (response.ok && !response.headers.has('request-id')) throw noGateway(base, response.status)
    return response
  }
  const endedBy =
    (url: URL) =>
    (error: unknown): never => {
      throw signal.aborted ? new CliError('stopped', { exit: 'interrupted' }) : unreachable(url, error)
    }
  /** An answer may break off, or take too long, as the call for it may. */
  const readText = (response: Response): Promise<string> => response.text().catch(endedBy(new URL(base)))
  const parsed = async (response: Response): Promise<Row> => {
    const text = await readText(response)
    if (!response.ok) throw refusal(response, text, base)
    if (text === '') return undefined
    try {
      return JSON.parse(text)
    } catch (error) {
      throw noGateway(base, response.status, error)
    }
  }
  return {
    base,
    get: async (path, query) => parsed(await request('GET', path, query === undefined ? {} : { query })),
    getFromAny: async (path, query) => parsed(await request('GET', path, { query, keep: false })),
    send: async (method, path, body) => parsed(await request(method, path, { body })),
    open: async (path, query = {}, accept = '*/*') => {
      const response = await request('GET', path, { query, accept, limit: false })
      if (!response.ok) throw refusal(response, await readText(response), base)
      return response
    },
    upload: async (path, query, file) => parsed(await request('POST', path, { query, file, limit: false })),
    ask: async (method, path, body) => {
      const response = await request(method, path, { body })
      const text = await readText(response)
      return { status: response.status, body: parseOr(text) }
    },
  }
}

function unreachable(url: URL, error: unknown): CliError {
  const { why, next = LOOK_CLOSER } = findReason(error)
  return new CliError(`the gateway at ${url.host} could not be reached${why === '' ? '' : `: ${why}`}`, {
    exit: 'unreachable',
    next,
    cause: error,
  })
}

interface Reason {
  readonly why: string
  readonly next?: string
}

const LOOK_CLOSER = `check the address, ${proxyNames.map((name) => `the proxy in ${name}, `).join('')}and whether the gateway runs; "causeway doctor" looks closer`
const TRUST_IT =
  'set NODE_EXTRA_CA_CERTS to the file of its authority, or NODE_USE_SYSTEM_CA=1 where this machine trusts it'

const reasons: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { why: 'nobody listens there' },
  ENOTFOUND: { why: 'the name is not known' },
  EAI_AGAIN: { why: 'the name could not be looked up' },
  ETIMEDOUT: { why: 'it does not answer' },
  ECONNRESET: { why: 'it closed the connection' },
  UND_ERR_SOCKET: { why: 'it closed the connection' },
  UND_ERR_CONNECT_TIMEOUT: { why: 'it does not answer' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { why: 'its certificate is self-signed', next: TRUST_IT },
  SELF_SIGNED_CERT_IN_CHAIN: { why: 'its certificate is not trusted', next: TRUST_IT },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { why: 'its certificate is not trusted', next: TRUST_IT },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { why: 'its certificate is not trusted', next: TRUST_IT },
  UNABLE_TO_GET_ISSUER_CERT: { why: 'its certificate is not trusted', next: TRUST_IT },
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', next: 'tell whoever runs the gateway' },
  CERT_NOT_YET_VALID: { why: 'its certificate is not valid yet', next: 'check the clock of this machine' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'its certificate is for another name',
    next: 'use the name that the certificate is for',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: { why: 'it does not speak TLS', next: 'check the port, and whether it is http://' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { why: 'it does not speak TLS', next: 'check the port, and whether it is http://' },
}

function findReason(error: unknown): Reason {
  if (error instanceof Error && error.name === 'TimeoutError') return { why: 'it did not answer in time' }
  const cause =
    error instanceof Error && error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : undefined
  if (cause === undefined) return { why: '' }
  return (
    reasons[cause.code ?? ''] ?? {
      why: /redirect/i.test(cause.message) ? 'it answers with a redirect' : (cause.code ?? cause.message),
    }
  )
}

const exits: Readonly<Record<number, ExitName>> = {
  400: 'usage',
  401: 'signInNeeded',
  403: 'notAllowed',
  404: 'notFound',
  405: 'failed',
  409: 'conflict',
  412: 'conflict',
  413: 'usage',
  415: 'usage',
  429: 'unreachable',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
  529: 'unreachable',
}

function refusal(response: Response, text: string, base: string): CliError {
  const body = parseOr(text)
  const known = body?.error
  const retryAfter = response.headers.get('retry-after')
  // Every refusal of a gateway says why: this one came from another server, or from a proxy in front.
  if (typeof known?.message !== 'string') return noGateway(base, response.status)
  return new CliError(known.message.replace(/\.$/, ''), {
    exit: exits[response.status] ?? 'failed',
    code: known?.code,
    details: known?.details,
    requestId: body?.request_id ?? response.headers.get('request-id') ?? undefined,
    next: nextFor(response.status, known?.code, base, retryAfter),
  })
}

function noGateway(base: string, status: number, cause?: unknown): CliError {
  return new CliError(`${base} does not answer like a gateway (status ${status})`, {
    exit: status === 429 || status >= 502 ? 'unreachable' : 'failed',
    next: 'check the address and the proxy in front of it',
    cause,
  })
}

function nextFor(status: number, code: unknown, base: string, retryAfter: string | null): string | undefined {
  if (code === 'wrong_password') return 'try again, or "causeway login" without --user to sign in through the browser'
  if (status === 401 || code === 'person_required')
    return `sign in with "causeway login ${base}", or set CAUSEWAY_TOKEN`
  // The others say themselves whom to ask.
  if (code === 'grant_required') return 'ask an administrator for the grant; "causeway whoami" says which ones you have'
  if (code === 'admin_required') return 'ask for the role admin; "causeway whoami" says who you are'
  if (status === 429 || status >= 502)
    return retryAfter === null ? 'try again in a moment' : `try again in ${retryAfter} s`
  return undefined
}

function parseOr(text: string): Row {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy in front answered with its own page: the status says more than its words.
    return undefined
  }
}
