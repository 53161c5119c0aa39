/** Sends one authorised request to a service of an endpoint. Everything in this folder that speaks to AWS goes through it. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { type AnswerHandler, deferExchange, type Exchange, onAbort } from '../foundation/domain/model-host.ts'
import { isCredentialRefusal, type ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { type Clock, systemClock } from '../foundation/platform/clock.ts'
import { type CredentialSource, createCredentialSource, type OnRefreshFailed } from './credentials.ts'
import { broken, ProviderError, unreachable } from './failures.ts'
import { createHttp1Client, type Http1Client } from './http1/http1-client.ts'
import { type ServiceName, type ServiceUrls, serviceAddress } from './service-address.ts'
import { encodeUriLabel, type Fields, type SigningScope, signHeaders } from './sigv4.ts'

export interface ServiceRequest {
  readonly service: ServiceName
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST'
  /** Percent-encoded once. */
  readonly path: string
  readonly query?: Fields
  readonly contentType?: string
  /** Header lines that are not signed, each ended with CRLF. */
  readonly plainLines: string
  /** Signed headers, lower-case names. */
  readonly headers?: Fields
  readonly body: readonly Buffer[]
  readonly firstByteTimeoutMs: number
}

export interface ServiceCaller {
  readonly send: (request: ServiceRequest, handler: AnswerHandler) => Exchange
  /** Lets credentials go that the service calls expired or unknown, and reports answers that are not its own. */
  readonly noteRefusal: (endpoint: Endpoint, failure: ProviderFailure) => void
  readonly findCredentialKind: (endpoint: Endpoint) => CredentialKind
  readonly close: () => void
}

/** What the gateway shows for an endpoint before it assumes any role; `unknown` while it was not needed. */
export type CredentialKind = 'api-key' | 'long-lived' | 'temporary' | 'unknown'

export interface ServiceCallerOptions {
  readonly urls?: ServiceUrls
  /** `AWS_BEARER_TOKEN_BEDROCK`: belongs to one account, so endpoints with a role never use it. */
  readonly bearerToken?: string | undefined
  readonly clock?: Clock
  readonly credentials?: CredentialSource
  /** To be logged. */
  readonly onRefreshFailed?: OnRefreshFailed
  /** Something other than AWS answered, such as a proxy. Its text only goes to the log. */
  readonly onForeignAnswer?: (endpoint: Endpoint, failure: ProviderFailure) => void
  readonly http?: Http1Client
}

interface Target {
  readonly url: URL
  readonly host: string
  readonly path: string
  readonly scope: SigningScope
}

export function createServiceCaller(options: ServiceCallerOptions = {}): ServiceCaller {
  const clock = options.clock ?? systemClock
  const http = options.http ?? createHttp1Client()
  const { onRefreshFailed } = options
  const credentials =
    options.credentials ?? createCredentialSource({ clock, ...(onRefreshFailed && { onRefreshFailed }) })
  const bearerToken = options.bearerToken || undefined

  async function authorize(request: ServiceRequest, target: Target): Promise<Fields> {
    const { endpoint, service, contentType, method, body, query = {} } = request
    checkHeaders(request.headers ?? {})
    const headers: Record<string, string> = { host: target.host, ...request.headers }
    if (contentType !== undefined) headers['content-type'] = contentType
    const mayBear = bearerToken !== undefined && endpoint.roleArn === null && service !== 'servicequotas'
    if (mayBear) return { ...headers, authorization: `Bearer ${bearerToken}` }
    const unsigned = { method, path: target.path, query, headers, body }
    return signHeaders(unsigned, target.scope, await credentials.require(endpoint), clock.nowMs())
  }

  async function prepare(request: ServiceRequest): Promise<SendPrepared> {
    const target = toTarget(request, options.urls ?? {})
    const head = requestHead(request, target.path, await authorize(request, target))
    const { body, firstByteTimeoutMs } = request
    return (handler) => http.origin(target.url).send({ head, body, firstByteTimeoutMs }, handler)
  }

  return {
    send: (request, handler) => startLater(prepare(request), handler),
    noteRefusal(endpoint, failure) {
      if (isCredentialRefusal(failure.name)) credentials.forget(endpoint)
      if (failure.foreignText !== undefined) options.onForeignAnswer?.(endpoint, failure)
    },
    findCredentialKind: ({ roleArn, region }) =>
      bearerToken !== undefined && roleArn === null ? 'api-key' : (credentials.findOwnKind(region) ?? 'unknown'),
    close: () => http.close(),
  }
}

function toTarget({ service, endpoint, path }: ServiceRequest, urls: ServiceUrls): Target {
  const { url, host, pathPrefix } = serviceAddress(service, endpoint.region, urls)
  // Both Bedrock hosts sign as `bedrock`.
  const signingName = service === 'bedrock-runtime' ? 'bedrock' : service
  return { url, host, path: pathPrefix + path, scope: { region: endpoint.region, service: signingName } }
}

function requestHead(request: ServiceRequest, path: string, headers: Fields): string {
  const { method, body, query = {}, plainLines } = request
  const queryText = Object.entries(query).map(([name, value]) => `${encodeUriLabel(name)}=${encodeUriLabel(value)}`)
  const target = queryText.length === 0 ? path : `${path}?${queryText.join('&')}`
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bodyBytes = body.reduce((sum, piece) => sum + piece.length, 0)
  const lengthLine = method === 'GET' ? '' : `content-length: ${bodyBytes}\r\n`
  return `${method} ${target} HTTP/1.1\r\n${headerLines.join('')}user-agent: causeway\r\n${lengthLine}${plainLines}\r\n`
}

const ownHeaders = /^(?:host|connection|authorization|content-length|content-type|transfer-encoding|x-amz-.*)$/

/** Values may come from names that people chose: a line break or a character outside ASCII must not reach the wire. */
function checkHeaders(headers: Fields): void {
  for (const [name, value] of Object.entries(headers)) {
    const isFit = /^[a-z0-9-]+$/.test(name) && (name === 'x-amz-target' || !ownHeaders.test(name))
    if (!isFit || !/^[\x20-\x7e]*$/.test(value)) {
      throw new ProviderError(broken(`the header ${JSON.stringify(name)} cannot be sent`))
    }
  }
}

type SendPrepared = (handler: AnswerHandler) => Exchange

/** The call whose signature, and maybe whose credentials, are still awaited. */
function startLater(prepared: Promise<SendPrepared>, handler: AnswerHandler): Exchange {
  let isAborted = false
  const { exchange, begin } = deferExchange((send: SendPrepared) => send(handler))
  prepared.then(begin).catch((error: unknown) => {
    if (!isAborted) handler.onFailure(failureOfError(error))
  })
  return onAbort(exchange, () => {
    isAborted = true
    return exchange.abort()
  })
}

function failureOfError(error: unknown): ProviderFailure {
  if (error instanceof ProviderError) return error.failure
  return unreachable(error instanceof Error ? error.message : String(error))
}
