/** Sends one authorised request to a service of an endpoint. Everything in this folder that speaks to AWS goes through it. */
import type { Endpoint } from '../foundation/domain/endpoint.ts'
import { isCredentialRefusal, type ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { type Clock, systemClock } from '../foundation/platform/clock.ts'
import { defined } from '../foundation/platform/defined.ts'
import { type CredentialSource, createCredentialSource, type OnRefreshFailed } from './credentials.ts'
import { broken, ProviderError, unreachable } from './failures.ts'
import type { HttpExchange, ResponseHandler } from './http1/http-exchange.ts'
import { createHttp1Client, type Http1Client, type Origin } from './http1/http1-client.ts'
import { type ServiceName, type ServiceUrls, serviceAddress } from './service-address.ts'
import { type AwsCredentials, type SigningScope, sha256OfPieces, signatureHeaderLines } from './sigv4.ts'

export interface ServiceRequest {
  readonly service: ServiceName
  readonly endpoint: Endpoint
  readonly method: 'GET' | 'POST'
  /** Percent-encoded once. */
  readonly path: string
  readonly query?: string
  readonly contentType?: string
  /** Header lines that are not signed, each ended with CRLF. */
  readonly plainLines: string
  /** Signed headers, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: readonly Buffer[]
  readonly firstByteTimeoutMs: number
}

export interface RunningCall {
  readonly pause: () => void
  readonly resume: () => void
  /** Tells whether any of the request was sent. */
  readonly abort: () => 'sent' | 'unsent'
  /** How long the rest of this answer may be silent, and take as a whole. */
  readonly limitRest: (silenceMs: number, wholeMs: number) => void
}

export interface ServiceCaller {
  readonly send: (request: ServiceRequest, handler: ResponseHandler) => RunningCall
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
  readonly origin: Origin
  readonly host: string
  readonly pathPrefix: string
  readonly scope: SigningScope
}

export function createServiceCaller(options: ServiceCallerOptions = {}): ServiceCaller {
  const clock = options.clock ?? systemClock
  const http = options.http ?? createHttp1Client()
  const { onRefreshFailed } = options
  const credentials =
    options.credentials ?? createCredentialSource({ clock, ...(onRefreshFailed && { onRefreshFailed }) })
  const bearerToken = options.bearerToken || undefined
  const targets = new WeakMap<Endpoint, Map<ServiceName, Target>>()

  function toTarget(endpoint: Endpoint, service: ServiceName): Target {
    let ofEndpoint = targets.get(endpoint)
    if (ofEndpoint === undefined) targets.set(endpoint, (ofEndpoint = new Map()))
    const known = ofEndpoint.get(service)
    if (known !== undefined) return known
    const { url, host, pathPrefix } = serviceAddress(service, endpoint.region, options.urls ?? {})
    // Both Bedrock hosts sign as `bedrock`.
    const signingName = service === 'bedrock-runtime' ? 'bedrock' : service
    const scope = { region: endpoint.region, service: signingName }
    const target = { origin: http.origin(url), host, pathPrefix, scope }
    ofEndpoint.set(service, target)
    return target
  }

  function start(request: ServiceRequest, handler: ResponseHandler, authority: Authority): HttpExchange {
    const target = toTarget(request.endpoint, request.service)
    const head = requestHead(request, target, authority, clock.nowMs())
    return target.origin.send({ head, body: request.body, firstByteTimeoutMs: request.firstByteTimeoutMs }, handler)
  }

  function findAuthority({ endpoint, service }: ServiceRequest): Authority | undefined {
    const mayBear = bearerToken !== undefined && endpoint.roleArn === null && service !== 'servicequotas'
    return mayBear ? bearerToken : credentials.findCurrent(endpoint)
  }

  return {
    send(request, handler) {
      try {
        if (request.headers !== undefined) checkHeaders(request.headers)
        const authority = findAuthority(request)
        if (authority !== undefined) return toRunningCall(start(request, handler, authority))
        return startLater(credentials.require(request.endpoint), handler, (fetched) => start(request, handler, fetched))
      } catch (error) {
        return startLater(Promise.reject(error), handler, (fetched) => start(request, handler, fetched))
      }
    },
    noteRefusal(endpoint, failure) {
      if (isCredentialRefusal(failure.name)) credentials.forget(endpoint)
      if (failure.foreignText !== undefined) options.onForeignAnswer?.(endpoint, failure)
    },
    findCredentialKind: ({ roleArn, region }) =>
      bearerToken !== undefined && roleArn === null ? 'api-key' : (credentials.findOwnKind(region) ?? 'unknown'),
    close: () => http.close(),
  }
}

/** A bearer token, or credentials to sign with. */
type Authority = string | AwsCredentials

function requestHead(request: ServiceRequest, target: Target, authority: Authority, nowMs: number): string {
  const { method, contentType, headers, body } = request
  const path = target.pathPrefix + request.path
  const query = request.query ?? ''
  let bodyBytes = 0
  for (const piece of body) bodyBytes += piece.length
  const authorityLines =
    typeof authority === 'string'
      ? `authorization: Bearer ${authority}\r\n`
      : signatureHeaderLines(
          {
            method,
            host: target.host,
            path,
            query,
            contentType,
            payloadSha256: sha256OfPieces(body),
            ...defined({ extraHeaders: headers }),
          },
          target.scope,
          authority,
          nowMs,
        )
  const typeLine = contentType === undefined ? '' : `content-type: ${contentType}\r\n`
  const lengthLine = method === 'GET' ? '' : `content-length: ${bodyBytes}\r\n`
  const extraLines = headers === undefined ? '' : headerLines(headers)
  return (
    `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\nhost: ${target.host}\r\nuser-agent: causeway\r\n` +
    `${typeLine}${lengthLine}${request.plainLines}${extraLines}${authorityLines}\r\n`
  )
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = ''
  for (const name of Object.keys(headers)) lines += `${name}: ${headers[name]}\r\n`
  return lines
}

const ownHeaders = /^(?:host|connection|authorization|content-length|content-type|transfer-encoding|x-amz-.*)$/

/** Values may come from names that people chose: a line break or a character outside ASCII must not reach the wire. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const isFit = /^[a-z0-9-]+$/.test(name) && (name === 'x-amz-target' || !ownHeaders.test(name))
    if (!isFit || !/^[\x20-\x7e]*$/.test(value)) {
      throw new ProviderError(broken(`the header ${JSON.stringify(name)} cannot be sent`))
    }
  }
}

function toRunningCall(exchange: HttpExchange): RunningCall {
  return {
    pause: () => exchange.pause(),
    resume: () => exchange.resume(),
    abort: () => exchange.abort(),
    limitRest: (silenceMs, wholeMs) => exchange.limitRest(silenceMs, wholeMs),
  }
}

/** The call whose credentials are still being fetched. */
function startLater(
  credentials: Promise<AwsCredentials>,
  handler: ResponseHandler,
  start: (credentials: AwsCredentials) => HttpExchange,
): RunningCall {
  /** Let go once it has begun: it holds the request. */
  let pending: typeof start | undefined = start
  let exchange: HttpExchange | undefined
  let isPaused = false
  let isAborted = false
  credentials
    .then((fetched) => {
      if (isAborted) return
      exchange = pending?.(fetched)
      pending = undefined
      if (isPaused) exchange?.pause()
    })
    .catch((error: unknown) => {
      if (!isAborted) handler.onFailure(failureOfError(error))
    })
  return {
    pause() {
      isPaused = true
      exchange?.pause()
    },
    resume() {
      isPaused = false
      exchange?.resume()
    },
    abort() {
      isAborted = true
      return exchange?.abort() ?? 'unsent'
    },
    limitRest: (silenceMs, wholeMs) => exchange?.limitRest(silenceMs, wholeMs),
  }
}

function failureOfError(error: unknown): ProviderFailure {
  if (error instanceof ProviderError) return error.failure
  return unreachable(error instanceof Error ? error.message : String(error))
}
