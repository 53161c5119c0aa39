/** How a route is declared: method, path, who may call it, its schemas and its handler, in one place. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { ZodType, z } from 'zod'
import type { Access, AccessRule, WideGrant } from '../domain/access.ts'
import type { Caller } from '../domain/caller.ts'
import type { FailureReason } from '../domain/failure-reason.ts'
import { defined } from '../platform/defined.ts'
import type { ErrorForm } from './error-schema.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Answer {
  readonly status: number
  /** A list for headers that may stand several times, such as cookies. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** An object goes out as JSON, a string, a Buffer or a stream as it is. */
  readonly body?: unknown
}

/** What a handler learns about its call. */
export interface Call<Params, Query, Body> {
  readonly requestId: string
  /** Undefined only on open routes. */
  readonly caller: Caller | undefined
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly headers: IncomingHttpHeaders
  /** Of this connection; a proxy in front may have ended TLS. */
  readonly scheme: 'http' | 'https'
  readonly sourceAddress: string
}

interface Described {
  readonly method: Method
  /** With `{name}` for parameters. */
  readonly path: string
  readonly access: Access
  /** With `admin`: a person with one of these may call it too. */
  readonly grants?: readonly WideGrant[]
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Default: the common one. */
  readonly errorForm?: ErrorForm
  /** Status to description and schema, for the API description. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>
}

interface DescribedAnswer {
  readonly text: string
  readonly schema?: ZodType
  /** When it is not the media type of the route. */
  readonly type?: 'text/csv' | 'text/event-stream' | 'application/vnd.amazon.eventstream'
}

export interface ApiRoute extends Described {
  readonly kind: 'api'
  readonly params: ZodType | undefined
  readonly query: ZodType | undefined
  readonly body: ZodType | undefined
  /** The type of a file that is sent instead of JSON. The handler gets it as a stream, packed as it came, and sets the limits. */
  readonly upload: UploadType | undefined
  readonly handle: Handler<Call<unknown, unknown, unknown>>
  readonly handleForLead: LeadHandler<Call<unknown, unknown, unknown>> | undefined
}

type Handler<C> = (call: C) => Answer | Promise<Answer>

/**
 * Answers somebody who leads a team and may see nothing else. It is a handler of its own, so that the call of a lead never
 * reaches one that knows nothing of teams: a route without it is closed to leads.
 */
type LeadHandler<C> = (call: C, teamId: string) => Answer | Promise<Answer>

export type UploadType = 'text/csv'

/** A route that reads the raw request and writes the raw answer itself; its schemas only document. */
export interface RawRoute extends Described {
  readonly kind: 'raw'
  readonly body: ZodType | undefined
  readonly handle: (request: IncomingMessage, response: ServerResponse, context: RawContext) => void
}

export interface RawContext {
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly sourceAddress: string
  /** Tells the log line who called, once it is known. */
  readonly identify: (label: string) => void
  /** Tells the log line why the request was rejected or failed. */
  readonly explain: (reason: FailureReason) => void
}

export type Route = ApiRoute | RawRoute

type Inferred<T extends ZodType | undefined> = T extends ZodType ? z.infer<T> : undefined

export function apiRoute<
  P extends ZodType | undefined = undefined,
  Q extends ZodType | undefined = undefined,
  B extends ZodType | undefined = undefined,
>(
  route: Described & {
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly handle: Handler<Call<Inferred<P>, Inferred<Q>, Inferred<B>>>
    readonly handleForLead?: LeadHandler<Call<Inferred<P>, Inferred<Q>, Inferred<B>>> | undefined
  },
): ApiRoute {
  return {
    ...route,
    kind: 'api',
    params: route.params,
    query: route.query,
    body: route.body,
    upload: undefined,
    handle: route.handle as ApiRoute['handle'],
    handleForLead: route.handleForLead as ApiRoute['handleForLead'],
  }
}

export function readRule(route: Route): AccessRule {
  const isForLeads = route.kind === 'api' && route.handleForLead !== undefined
  return { access: route.access, grants: route.grants, isForLeads }
}

export function uploadRoute<Q extends ZodType>(
  route: Described & {
    readonly query: Q
    readonly upload: UploadType
    readonly handle: (call: Call<undefined, z.infer<Q>, Readable>) => Promise<Answer>
  },
): ApiRoute {
  return {
    ...route,
    kind: 'api',
    params: undefined,
    body: undefined,
    handle: route.handle as unknown as ApiRoute['handle'],
    handleForLead: undefined,
  }
}

export function rawRoute(route: Omit<RawRoute, 'kind' | 'body'> & { readonly body?: ZodType }): RawRoute {
  return { ...route, kind: 'raw', body: route.body }
}

export function ok(body: unknown, headers?: Answer['headers']): Answer {
  return { status: 200, body, ...defined({ headers }) }
}

export function created(body: unknown): Answer {
  return { status: 201, body }
}

export const noContent: Answer = { status: 204 }
