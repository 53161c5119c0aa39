/** Calls URLs that people have configured: guarded at the URL and at the connection, small, quick, and never echoed in errors. */
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { defined } from './defined.ts'
import { decideUrl, type EgressAllow, isAddressAllowed } from './egress-guard.ts'

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD'] as const

export interface OutgoingRequest {
  readonly method?: (typeof methods)[number]
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** For everything together: name look-up, connection, redirects and the last byte. */
  readonly timeoutMs?: number
  /** Of the body as it is after decompression. */
  readonly maxBytes?: number
  /** Gives up earlier, when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** Reads follow up to three redirects unless they are to be handed back. */
  readonly redirects?: 'follow' | 'return'
  /** `optional`: the status is what counts; a body that is too large, too slow, cut or unreadable is left out. */
  readonly answerBody?: 'required' | 'optional'
}

export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface JsonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export type FetchJson = (url: string, request?: OutgoingRequest) => Promise<JsonAnswer>

export interface OutgoingHttp {
  readonly request: (url: string, request?: OutgoingRequest) => Promise<OutgoingAnswer>
  readonly fetchJson: FetchJson
  /** The same for libraries that bring their own protocol and want a `fetch`; redirects are handed back, not followed. */
  readonly fetch: (url: string, init?: FetchInit) => Promise<Response>
  readonly close: () => Promise<void>
}

export interface FetchInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type OutgoingFailure = 'refused' | 'timeout' | 'too-large' | 'unreachable' | 'unreadable' | 'too-many-redirects'

export class OutgoingHttpError extends Error {
  readonly kind: OutgoingFailure

  constructor(kind: OutgoingFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutgoingHttpError'
    this.kind = kind
  }
}

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export interface OutgoingHttpOptions {
  readonly allow: EgressAllow
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>
}

const resolveWithSystem = async (host: string): Promise<readonly ResolvedAddress[]> =>
  promisify(systemLookup)(host, { all: true })

export function createOutgoingHttp({ allow, resolve = resolveWithSystem }: OutgoingHttpOptions): OutgoingHttp {
  const agent = new Agent({ connect: createGuardedConnector(allow, resolve) })

  async function request(text: string, options: OutgoingRequest = {}): Promise<OutgoingAnswer> {
    const deadline = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const end = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal])
    try {
      return await follow(agent, allow, requireUrl(text, allow), options, end)
    } catch (error) {
      throw toOutgoingError(error, deadline)
    }
  }

  return {
    request,
    async fetchJson(url, options = {}) {
      const { status, headers, body } = await request(url, {
        ...options,
        headers: { accept: 'application/json', ...options.headers },
      })
      return { status, headers, body: parseJson(body, status) }
    },
    async fetch(url, init = {}) {
      const { status, headers, body } = await request(url, toOutgoingRequest(init))
      const { 'content-encoding': _inflated, 'content-length': _length, ...rest } = headers
      const isEmpty = status === 204 || status === 205 || status === 304
      return new Response(isEmpty ? null : new Uint8Array(body), { status, headers: rest })
    },
    close: () => agent.destroy(),
  }
}

function toOutgoingRequest({ method = 'GET', headers = {}, body }: FetchInit): OutgoingRequest {
  const known = methods.find((name) => name === method.toUpperCase())
  if (known === undefined) throw new OutgoingHttpError('refused', 'this method is not used')
  if (body === undefined || body === null) return { method: known, headers, redirects: 'return' }
  const bytes = body instanceof Uint8Array ? body : String(body)
  return { method: known, headers, body: bytes, redirects: 'return' }
}

/** Errors may come without JSON; a success without it is a fault of the other side. */
function parseJson(body: Buffer, status: number): unknown {
  if (body.length === 0) return null
  try {
    return JSON.parse(body.toString()) as unknown
  } catch (cause) {
    if (status >= 200 && status < 300) throw new OutgoingHttpError('unreadable', 'the answer is not JSON', cause)
    return null
  }
}

function requireUrl(text: string, allow: EgressAllow): URL {
  const decision = decideUrl(text, allow)
  if (decision.kind === 'refused') throw new OutgoingHttpError('refused', decision.reason)
  return decision.url
}

/** Only reads are redirected: a redirected write could be a repeated or a misdirected one. */
function mayFollow({ method = 'GET', redirects = 'follow' }: OutgoingRequest): boolean {
  return redirects === 'follow' && (method === 'GET' || method === 'HEAD')
}

async function follow(
  agent: Agent,
  allow: EgressAllow,
  start: URL,
  options: OutgoingRequest,
  deadline: AbortSignal,
): Promise<OutgoingAnswer> {
  let url = start
  let headers = options.headers ?? {}
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const answer = await exchange(agent, url, { ...options, headers }, deadline)
    const location = answer.headers['location']
    if (!mayFollow(options) || location === undefined || ![301, 302, 303, 307, 308].includes(answer.status))
      return answer
    if (!URL.canParse(location, url)) throw new OutgoingHttpError('refused', 'the redirect cannot be read')
    const next = requireUrl(new URL(location, url).href, allow)
    // Any header may be a secret that was meant for the first host only.
    if (next.origin !== url.origin) headers = headers['accept'] === undefined ? {} : { accept: headers['accept'] }
    url = next
  }
  throw new OutgoingHttpError('too-many-redirects', `more than ${MAX_REDIRECTS} redirects`)
}

async function exchange(
  agent: Agent,
  url: URL,
  options: OutgoingRequest,
  deadline: AbortSignal,
): Promise<OutgoingAnswer> {
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: options.method ?? 'GET',
    headers: { 'user-agent': 'causeway', 'accept-encoding': 'identity', ...options.headers },
    ...defined({ body: options.body }),
    signal: deadline,
  })
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  )
  const head = { status: answer.statusCode, headers }
  try {
    const raw = await readAtMost(answer.body, maxBytes)
    return { ...head, body: await inflateAtMost(raw, headers['content-encoding'], maxBytes) }
  } catch (error) {
    // failure-modes: notification not delivered. The status has said whether it was.
    if (options.answerBody === 'optional') return { ...head, body: Buffer.alloc(0) }
    throw error
  }
}

async function readAtMost(body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length
    // Leaving the loop destroys the body, and with it the connection.
    if (size > maxBytes) throw new OutgoingHttpError('too-large', `the answer is larger than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const decoders = new Map([
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
])

/** We ask for plain bytes, but some servers compress regardless; what comes out is capped like what comes in. */
async function inflateAtMost(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity' || body.length === 0)
    return body
  const decode = decoders.get(encoding.toLowerCase())
  if (decode === undefined) throw new OutgoingHttpError('unreadable', 'the answer has an unknown content encoding')
  try {
    return await decode(body, { maxOutputLength: maxBytes })
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLarge
      ? new OutgoingHttpError('too-large', `the answer is larger than ${maxBytes} bytes`)
      : new OutgoingHttpError('unreadable', 'the answer cannot be decompressed', cause)
  }
}

/**
 * The connection goes to an address that was checked a moment before, and to no other: there is no second look-up whose
 * answer could differ.
 */
function createGuardedConnector(
  allow: EgressAllow,
  resolve: NonNullable<OutgoingHttpOptions['resolve']>,
): buildConnector.connector {
  const guardedLookup: LookupFunction = (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const usable = addresses.filter(({ address }) => isAddressAllowed(address, host, allow))
        const [first] = usable
        if (first === undefined) callback(refusedAddress(), '', 0)
        else if (options.all === true) callback(null, [...usable])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
  const connect = buildConnector({ timeout: DEFAULT_TIMEOUT_MS, lookup: guardedLookup, allowH2: false })
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
    // Node asks no look-up function about literal addresses.
    if (isIP(host) !== 0 && !isAddressAllowed(host, host, allow)) callback(refusedAddress(), null)
    else connect(target, callback)
  }
}

function refusedAddress(): OutgoingHttpError {
  return new OutgoingHttpError('refused', 'the host has no address that may be called')
}

function toOutgoingError(error: unknown, deadline: AbortSignal): OutgoingHttpError {
  if (error instanceof OutgoingHttpError) return error
  if (deadline.aborted) return new OutgoingHttpError('timeout', 'no complete answer in time')
  return new OutgoingHttpError('unreachable', 'the host cannot be reached', error)
}
