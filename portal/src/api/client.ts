/** The one way to the gateway: typed by its API description, with the session's cookie and a proof on every write. */
import createClient, { type MaybeOptionalInit } from 'openapi-fetch'
import { errorOfAnswer, toApiError } from './api-error.ts'
import type { paths } from './schema.ts'
import { sendFile, type Upload } from './upload.ts'

const TIMEOUT_MS = 30_000

/** A timer of the page rather than AbortSignal.timeout, which no test can move forward. */
function startTimeLimit(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), TIMEOUT_MS)
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

let csrfToken = ''
let onSignedOut: () => void = () => {}
let renewProof: () => Promise<boolean> = async () => false

/** Learnt from GET /auth/me; writes without it are refused. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token
}

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** Asked when the proof is of another session, as after signing in again in another tab. True when there is a new one of the same person. */
export function whenProofIsOld(renew: () => Promise<boolean>): void {
  renewProof = renew
}

/** The first question who it is was asked before this code was there; every later one is asked anew. */
function fetchOrTake(request: Request): Promise<Response> {
  const page = globalThis as { causewayFirstMe?: Promise<Response> | undefined }
  const first = new URL(request.url).pathname === '/auth/me' ? page.causewayFirstMe : undefined
  if (first === undefined) return fetch(request)
  page.causewayFirstMe = undefined
  const stopped = new Promise<never>((_, fail) => {
    request.signal.addEventListener('abort', () => fail(request.signal.reason as Error), { once: true })
  })
  return Promise.race([first, stopped])
}

const client = createClient<paths>({
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
  fetch: fetchOrTake,
})

client.use({
  onRequest: ({ request }) => {
    if (request.method !== 'GET') request.headers.set('x-csrf-token', csrfToken)
    return request
  },
})

type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type PathsWith<M extends HttpMethod> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]

type OperationOf<P extends keyof paths, M extends HttpMethod> = paths[P] extends Record<M, infer O> ? O : never
type JsonOf<T> = T extends { content: { 'application/json': infer J } } ? J : undefined

/** What a successful call gives: `Answer<'/me/keys', 'get'>`. */
export type Answer<P extends keyof paths, M extends HttpMethod> =
  OperationOf<P, M> extends { responses: infer R }
    ? R extends { 200: infer A }
      ? JsonOf<A>
      : R extends { 201: infer A }
        ? JsonOf<A>
        : undefined
    : never

/** What a call sends: `Body<'/me/keys', 'post'>`. */
export type Body<P extends keyof paths, M extends HttpMethod> =
  OperationOf<P, M> extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never

export type Init<P extends keyof paths, M extends HttpMethod> = MaybeOptionalInit<paths[P], M & keyof paths[P]>

type Rest<I> = undefined extends I ? [init?: I] : Record<never, never> extends I ? [init?: I] : [init: I]

interface RawResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

async function send(method: HttpMethod, path: string, init: object | undefined, isAgain = false): Promise<unknown> {
  const result = await ask(method, path, init)
  if (result.response.ok) return result.data
  // The question who one is has "nobody" as an answer; asking it again would not end.
  if (result.response.status === 401 && !path.startsWith('/auth/')) onSignedOut()
  const error = errorOfAnswer(result.response, result.error)
  // Nothing was done: what was typed need not be typed again in a page that is loaded anew.
  if (error.code === 'csrf_rejected' && !isAgain && (await renewProof())) return send(method, path, init, true)
  throw error
}

async function ask(method: HttpMethod, path: string, init: object | undefined): Promise<RawResult> {
  const call = client.request as unknown as (m: string, p: string, i: object) => Promise<RawResult>
  const own = (init as { signal?: AbortSignal } | undefined)?.signal
  const limit = startTimeLimit()
  const signal = own === undefined ? limit.signal : AbortSignal.any([own, limit.signal])
  try {
    return await call(method, path, { ...init, signal })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw toApiError(error)
  } finally {
    limit.stop()
  }
}

/** Of the operations, those that take a file. */
type FilePaths = {
  [P in PathsWith<'post'>]: OperationOf<P, 'post'> extends { requestBody: { content: { 'text/csv': string } } }
    ? P
    : never
}[PathsWith<'post'>]

async function upload(path: string, sent: Upload, isAgain = false): Promise<unknown> {
  const headers = { accept: 'application/json', 'content-type': 'text/csv', 'x-csrf-token': csrfToken }
  const response = await sendFile(path, headers, sent).catch((error: unknown) => {
    throw error instanceof DOMException && error.name === 'AbortError' ? error : toApiError(error)
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return body
  if (response.status === 401) onSignedOut()
  const error = errorOfAnswer(response, body)
  if (error.code === 'csrf_rejected' && !isAgain && (await renewProof())) return upload(path, sent, true)
  throw error
}

/** Each gives the answer of a 2xx and throws an ApiError for everything else. */
export const api = {
  get: <P extends PathsWith<'get'>>(path: P, ...[init]: Rest<Init<P, 'get'>>) =>
    send('get', path, init) as Promise<Answer<P, 'get'>>,
  post: <P extends PathsWith<'post'>>(path: P, ...[init]: Rest<Init<P, 'post'>>) =>
    send('post', path, init) as Promise<Answer<P, 'post'>>,
  put: <P extends PathsWith<'put'>>(path: P, ...[init]: Rest<Init<P, 'put'>>) =>
    send('put', path, init) as Promise<Answer<P, 'put'>>,
  patch: <P extends PathsWith<'patch'>>(path: P, ...[init]: Rest<Init<P, 'patch'>>) =>
    send('patch', path, init) as Promise<Answer<P, 'patch'>>,
  delete: <P extends PathsWith<'delete'>>(path: P, ...[init]: Rest<Init<P, 'delete'>>) =>
    send('delete', path, init) as Promise<Answer<P, 'delete'>>,
  upload: <P extends FilePaths>(path: P, sent: Upload) => upload(path, sent) as Promise<Answer<P, 'post'>>,
}
