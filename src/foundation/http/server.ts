/** The HTTP application: one router for every route, the checks around each, one error shape. It does not listen. */
import type { RequestListener } from 'node:http'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AccessRule, Reach } from '../domain/access.ts'
import { type Caller, callerLabel } from '../domain/caller.ts'
import { errorHeaders, invalidUtf8, problem } from '../domain/errors.ts'
import type { FailureReason } from '../domain/failure-reason.ts'
import { newRequestId } from '../platform/ids.ts'
import { findInvalidUtf8 } from '../platform/invalid-utf8.ts'
import type { Logger } from '../platform/logger.ts'
import { createAllowedMethods } from './allowed-methods.ts'
import { errorJson, toProblem } from './error-reply.ts'
import { findNotOffered, nothingThere, refusalFor } from './nothing-there.ts'
import { acceptAbsoluteTarget, requestLineProblem } from './request-line.ts'
import { logRequest } from './request-log.ts'
import { type Answer, type ApiRoute, type Call, type RawRoute, type Route, readRule } from './route.ts'
import type { SourceAddress } from './source-address.ts'
import { validated } from './validation.ts'

export interface ServerParts {
  readonly routes: readonly Route[]
  readonly log: Logger
  /** The doorway tells a call of an API route, where the portal's cookie counts, from a message. */
  readonly authenticate: (headers: FastifyRequest['headers'], doorway: Doorway) => Caller | Promise<Caller>
  readonly requireAccess: (rule: AccessRule, caller: Caller) => Reach
  readonly sourceAddress: SourceAddress
}

interface Doorway {
  readonly method: string
  readonly scheme: 'http' | 'https'
}

export interface HttpApplication {
  readonly routing: RequestListener
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** Undefined only on open routes. */
    reach: Reach | undefined
    callerLabel: string
    reason: FailureReason | undefined
  }
}

const ADMIN_BODY_LIMIT_BYTES = 1024 * 1024
/** Nobody knows who sends it, and it is held until all of it has come. */
const OPEN_BODY_LIMIT_BYTES = 16 * 1024
/** An ARN in a path may have 2,048 characters. */
const MAX_PARAMETER_LENGTH = 2_100

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

export async function createServer(parts: ServerParts): Promise<HttpApplication> {
  const app = Fastify({
    logger: false,
    genReqId: newRequestId,
    bodyLimit: ADMIN_BODY_LIMIT_BYTES,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // Such requests reach no hook.
    frameworkErrors: (error, request, reply) => {
      reply.raw.setHeader('request-id', request.id)
      sendError(parts.log, request, reply, error)
    },
  })
  app.removeContentTypeParser('text/plain')
  acceptEmptyJson(app)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('reach', undefined)
  app.decorateRequest('callerLabel', '')
  app.decorateRequest('reason', undefined)
  const allowedMethods = createAllowedMethods(parts.routes)
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.setHeader('request-id', request.id)
    const startedMs = performance.now()
    // Comes once, after the last byte and also when the client leaves before it.
    reply.raw.on('close', () => logAnswer(parts.log, request, reply, performance.now() - startedMs))
    const refused = requestLineProblem(request.raw)
    if (refused !== undefined) throw refused
    // Before the body: what is wrong with it does not matter where there is nobody to take it.
    if (request.is404) return sendNothingThere(parts.log, request, reply, allowedMethods)
  })
  app.setErrorHandler((error, request, reply) => sendError(parts.log, request, reply, error))
  // The hook above answers before it; without one of our own the framework's would stand here.
  app.setNotFoundHandler((request, reply) => sendNothingThere(parts.log, request, reply, allowedMethods))
  for (const route of parts.routes) {
    if (route.kind === 'raw') addRawRoute(app, route, parts)
    else if (route.upload === undefined) addApiRoute(app, route, parts)
    else await addUploadRoute(app, route, parts)
  }
  await app.ready()
  return {
    routing: (request, response) => {
      acceptAbsoluteTarget(request)
      app.routing(request, response)
    },
  }
}

function logAnswer(log: Logger, request: FastifyRequest, reply: FastifyReply, elapsedMs: number): void {
  logRequest(log, {
    id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.raw.statusCode,
    elapsedMs,
    caller: request.callerLabel || 'none',
    reason: request.reason,
  })
}

/** Many clients name the type on every call, also where there is nothing to send. Who needs a body refuses none later. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const invalidAt = findInvalidUtf8(body)
    if (body.length === 0) done(null, undefined)
    else if (invalidAt !== undefined) done(invalidUtf8(invalidAt))
    else void parseJson(request, body.toString(), done)
  })
}

function sendNothingThere(
  log: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  allowedMethods: (path: string) => readonly string[],
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? ''
  const refused = findNotOffered(path) ?? nothingThere(request.method, path, allowedMethods(path))
  const refusal = refusalFor(path, refused, request.id)
  if (refusal === undefined) return sendError(log, request, reply, refused)
  log.debug({ id: request.id, err: refused }, 'request refused')
  return reply
    .code(refused.status)
    .headers({ ...securityHeaders, ...errorHeaders(refused), ...refusal.headers })
    .send(JSON.stringify(refusal.body))
}

/** Whatever type the file is said to have: browsers and programs name many for one kind, and its content decides. */
async function addUploadRoute(app: FastifyInstance, route: ApiRoute, parts: ServerParts): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    addApiRoute(scope, route, parts)
  })
}

function addApiRoute(app: FastifyInstance, route: ApiRoute, parts: ServerParts): void {
  const rule = readRule(route)
  app.route({
    method: route.method,
    url: routerPath(route.path),
    bodyLimit: route.access === 'open' ? OPEN_BODY_LIMIT_BYTES : ADMIN_BODY_LIMIT_BYTES,
    // Before parsing: an anonymous caller never learns whether a body was valid.
    onRequest: async (request) => {
      if (route.access !== 'open') {
        const doorway = { method: request.method, scheme: readScheme(request) }
        const caller = await parts.authenticate(request.headers, doorway)
        request.callerLabel = callerLabel(caller)
        request.reach = parts.requireAccess(rule, caller)
        request.caller = caller
      }
      if (route.upload === undefined && request.headers['content-encoding'] !== undefined)
        throw problem('unsupported_media_type')
    },
    handler: async (request, reply) => {
      const answer = await handled(route, request.reach, {
        requestId: request.id,
        caller: request.caller,
        params: validated(route.params, request.params, 'path'),
        query: validated(route.query, request.query, 'query'),
        // Nothing sent is a file with nothing in it.
        body:
          route.upload === undefined
            ? validated(route.body, request.body, 'body')
            : (request.body ?? Readable.from([])),
        headers: request.headers,
        scheme: readScheme(request),
        sourceAddress: parts.sourceAddress(request.raw),
      })
      return send(reply, answer)
    },
  })
}

function handled(route: ApiRoute, reach: Reach | undefined, call: Call<unknown, unknown, unknown>) {
  if (reach?.kind !== 'team') return route.handle(call)
  if (route.handleForLead === undefined) throw new Error(`${route.path} was opened to leads and cannot answer them`)
  return route.handleForLead(call, reach.teamId)
}

function readScheme(request: FastifyRequest): 'http' | 'https' {
  return 'encrypted' in request.raw.socket ? 'https' : 'http'
}

/** Raw routes take the request as it comes: no parser, no serializer, no size limit but their own. */
function addRawRoute(app: FastifyInstance, route: RawRoute, parts: ServerParts): void {
  app.route({
    method: route.method,
    url: routerPath(route.path),
    // Before the framework looks at the content type: the route has more to say first, and in its own form.
    onRequest: (request, reply) => {
      route.handle(request.raw, reply.raw, {
        requestId: request.id,
        params: request.params as Record<string, string>,
        sourceAddress: parts.sourceAddress(request.raw),
        identify: (label) => {
          request.callerLabel = label
        },
        explain: (reason) => {
          request.reason = reason
        },
      })
      // After it, because a handler that throws is answered like that of any other route.
      reply.hijack()
    },
    handler: () => {},
  })
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers(securityHeaders)
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  if (typeof answer.body === 'string' || answer.body instanceof Uint8Array) return reply.send(answer.body)
  if (answer.body instanceof Readable) return reply.send(answer.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer.body))
}

function sendError(log: Logger, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const failure = toProblem(error, request.routeOptions.bodyLimit)
  if (failure.code === 'internal') log.error({ id: request.id, err: failure.cause ?? failure }, 'request failed')
  else log.debug({ id: request.id, err: failure }, 'request refused')
  return reply
    .code(failure.status)
    .headers({ ...securityHeaders, ...errorHeaders(failure) })
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorJson(failure, request.id))
}

function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
