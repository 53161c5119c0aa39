/** Declares a provisioning route: the provider's token first, then the body; every answer in the form of RFC 7644. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ZodType } from 'zod'
import type { Actor } from '../../foundation/database/audit.ts'
import { type BodyRules, readBody } from '../../foundation/http/read-body.ts'
import { type Method, type RawContext, type Route, rawRoute } from '../../foundation/http/route.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { findInvalidUtf8 } from '../../foundation/platform/invalid-utf8.ts'
import { readCredentials } from '../../modules/sign-in/credentials.ts'
import { toScimFailure } from './explain-failure.service.ts'
import { failureBody, noToken, ScimFailure } from './scim-failure.ts'
import type { ScimPorts } from './scim-ports.service.ts'
import { createScimTokenStore, type ScimClient } from './scim-tokens.store.ts'
import { hashScimToken, SCIM_TOKEN_PREFIX } from './scim-tokens.ts'

export interface ScimCall {
  readonly client: ScimClient
  readonly idpId: string
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Parsed JSON of whatever shape; undefined for methods without a body. */
  readonly body: unknown
  /** Such as `https://gateway.example.com/scim/v2`. */
  readonly root: string
}

export interface ScimAnswer {
  readonly status: number
  readonly body?: object
  readonly location?: string
}

interface ScimRouteParts {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly body?: ZodType
  /** Of the answer, when it has a body. */
  readonly answer?: ZodType
  readonly answers: Readonly<Record<number, string>>
  readonly handle: (call: ScimCall) => ScimAnswer | Promise<ScimAnswer>
}

const bodyRules: BodyRules = {
  maxBytes: 1024 * 1024,
  tooLarge: () => new ScimFailure(413, 'The request is larger than 1 MiB.'),
  endedEarly: () => new ScimFailure(408, 'The request was not received in time.'),
}
const bodyMethods: readonly string[] = ['POST', 'PUT', 'PATCH']
const mediaTypes: readonly string[] = ['application/scim+json', 'application/json']
const SCIM_ROOT = '/scim/v2'

const always = {
  401: 'No valid provisioning token',
  503: 'There is no database, or it does not answer',
} as const

/** The only maker of such routes, so that none can be declared without the check of the token. */
export function scimRoute(ports: ScimPorts, parts: ScimRouteParts): Route {
  const answers = Object.entries({ ...parts.answers, ...always }).map(([status, text]) => [
    status,
    { text, ...(Number(status) < 300 && parts.answer !== undefined ? { schema: parts.answer } : {}) },
  ])
  return rawRoute({
    method: parts.method,
    path: `${SCIM_ROOT}${parts.path}`,
    access: 'scim',
    tag: 'SCIM',
    errorForm: 'scim',
    summary: parts.summary,
    ...defined({ description: parts.description, body: parts.body }),
    answers: Object.fromEntries(answers),
    handle: (request, response, context) => {
      answer(ports, parts, request, context)
        .then((done) => send(response, done))
        .catch((error: unknown) => {
          const failure = toScimFailure(error) ?? unexpected(ports, context.requestId, error)
          send(response, { status: failure.status, body: failureBody(failure) })
        })
    },
  })
}

function unexpected(ports: ScimPorts, requestId: string, error: unknown): ScimFailure {
  ports.log.error({ id: requestId, err: error }, 'request failed')
  return new ScimFailure(500, 'Something went wrong inside the gateway. Its log has more under the request id.')
}

async function answer(
  ports: ScimPorts,
  parts: ScimRouteParts,
  request: IncomingMessage,
  context: RawContext,
): Promise<ScimAnswer> {
  const client = await requireClient(ports, request)
  context.identify(`idp:${client.idpId}`)
  const body = bodyMethods.includes(parts.method) ? await readJson(request) : undefined
  const scheme = 'encrypted' in request.socket ? 'https' : 'http'
  return await parts.handle({
    client,
    idpId: client.idpId,
    actor: {
      name: `scim:${client.idpName}`,
      sourceAddress: context.sourceAddress,
      requestId: context.requestId,
    },
    params: context.params,
    query: new URL(request.url ?? '', 'http://localhost').searchParams,
    body,
    root: `${ports.findBaseUrl({ headers: request.headers, scheme })}${SCIM_ROOT}`,
  })
}

/** Keys and sessions are not even looked up: a person or a program never provisions. */
async function requireClient(ports: ScimPorts, request: IncomingMessage): Promise<ScimClient> {
  for (const token of readCredentials(request.headers)) {
    if (!token.startsWith(SCIM_TOKEN_PREFIX)) continue
    const tokens = createScimTokenStore(ports.database().kysely)
    const client = await tokens.findClient(hashScimToken(token), ports.clock.nowMs())
    if (client !== undefined) return client
  }
  throw noToken()
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!mediaTypes.includes(type) || request.headers['content-encoding'] !== undefined)
    throw new ScimFailure(415, 'Send application/scim+json without a content encoding.')
  const bytes = await readBody(request, bodyRules)
  const invalidAt = findInvalidUtf8(bytes)
  if (invalidAt !== undefined)
    throw new ScimFailure(400, `The body has invalid UTF-8 at byte ${invalidAt}. Encode it as UTF-8.`, 'invalidSyntax')
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new ScimFailure(400, 'The body is not JSON.', 'invalidSyntax')
  }
}

function send(response: ServerResponse, { status, body, location }: ScimAnswer): void {
  const text = body === undefined ? undefined : JSON.stringify(body)
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/scim+json; charset=utf-8', 'content-length': Buffer.byteLength(text) }),
    ...defined({ location }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="scim"' } : {}),
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  })
  response.end(text)
}
