/** The error catalogue: every refusal the gateway can give, with its status, its Messages type and its public words. */
import type { Caller } from './caller.ts'
import type { ReachedLimit } from './failure-reason.ts'

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'request_too_large'
  | 'rate_limit_error'
  | 'billing_error'
  | 'api_error'
  | 'overloaded_error'

interface CatalogueEntry {
  readonly status: number
  readonly type: ErrorType
  /** `{name}` is filled from the parameters; parameters must be fit for the public. */
  readonly text: string
}

export const catalogue = {
  invalid_body: { status: 400, type: 'invalid_request_error', text: 'The request body is not valid: {reason}' },
  invalid_json: { status: 400, type: 'invalid_request_error', text: 'The request body is not valid JSON: {reason}' },
  invalid_parameter: { status: 400, type: 'invalid_request_error', text: '{name}: {reason}' },
  invalid_id: { status: 400, type: 'invalid_request_error', text: '{name} must be a UUID.' },
  invalid_request_line: {
    status: 400,
    type: 'invalid_request_error',
    text: 'The request line or a header is not acceptable: {reason}',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    text: 'The request headers are too large or too many.',
  },
  request_timeout: { status: 408, type: 'invalid_request_error', text: 'The request was not received in time.' },
  missing_credential: {
    status: 401,
    type: 'authentication_error',
    text: 'No credential was sent. Send a virtual key, an identity-provider token or a session token as "authorization: Bearer ...".',
  },
  metrics_token_required: {
    status: 401,
    type: 'authentication_error',
    text: 'This gateway shows its metrics to whoever sends METRICS_TOKEN as "authorization: Bearer ...".',
  },
  invalid_credential: {
    status: 401,
    type: 'authentication_error',
    text: 'The credential is not valid or has expired. Sign in again to get a new one.',
  },
  invalid_virtual_key: {
    status: 401,
    type: 'authentication_error',
    text: 'This virtual key is unknown, revoked or expired. Ask an administrator, or make a new key in the portal.',
  },
  virtual_keys_disabled: {
    status: 401,
    type: 'authentication_error',
    text: 'Virtual keys are switched off on this gateway. Sign in through your identity provider instead.',
  },
  wrong_password: { status: 401, type: 'authentication_error', text: 'The user name or the password is wrong.' },
  admin_login_disabled: {
    status: 403,
    type: 'permission_error',
    text: 'Signing in with a password is switched off. Use your identity provider, or set ADMIN_PASSWORD_ENABLE=true and restart to recover access.',
  },
  login_throttled: {
    status: 429,
    type: 'rate_limit_error',
    text: 'Too many failed sign-ins. Try again in {seconds} seconds.',
  },
  admin_required: { status: 403, type: 'permission_error', text: 'This needs an administrator.' },
  grant_required: {
    status: 403,
    type: 'permission_error',
    text: 'This needs an administrator, or the grant {grants}.',
  },
  own_team_only: {
    status: 403,
    type: 'permission_error',
    text: 'The grant team:lead shows your own team alone. Leave the other team out, or ask an administrator.',
  },
  team_required: {
    status: 403,
    type: 'permission_error',
    text: 'The grant team:lead shows your own team, and you are in none. Ask an administrator to put you into it.',
  },
  person_required: {
    status: 403,
    type: 'permission_error',
    text: 'A virtual key cannot do this. Use a session token or an identity-provider token.',
  },
  user_inactive: {
    status: 403,
    type: 'permission_error',
    text: 'This account has been deactivated. Ask an administrator.',
  },
  not_provisioned: {
    status: 403,
    type: 'permission_error',
    text: 'You are not registered here. Ask an administrator to add {identity}.',
  },
  user_claim_missing: {
    status: 403,
    type: 'permission_error',
    text: 'The token of your identity provider has no usable claim {claim}, by which people are known here. Ask an administrator to have it sent, or to choose another claim.',
  },
  domain_not_allowed: {
    status: 403,
    type: 'permission_error',
    text: 'Accounts of this e-mail domain may not sign in here.',
  },
  identity_mismatch: {
    status: 403,
    type: 'permission_error',
    text: 'This name is already bound to another identity. Ask an administrator.',
  },
  csrf_rejected: {
    status: 403,
    type: 'permission_error',
    text: 'The request did not come from the portal page. Reload the page and try again.',
  },
  route_not_found: { status: 404, type: 'not_found_error', text: 'There is nothing at {method} {path}. {advice}' },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    text: '{method} is not possible here; use {allow}.',
  },
  not_offered: { status: 501, type: 'invalid_request_error', text: 'This gateway does not offer {what}. {instead}' },
  not_found: { status: 404, type: 'not_found_error', text: 'There is no {what} with this id.' },
  model_not_available: {
    status: 404,
    type: 'not_found_error',
    text: 'model: {model} is not available here. GET /v1/models lists what you can use.',
  },
  model_without_price: {
    status: 400,
    type: 'invalid_request_error',
    text: 'model: {model} has no price on this gateway, and requests without a price are rejected. Choose another model, or ask an administrator to set a price for {hosted} under Models → Prices.',
  },
  thread_unsupported_request: {
    status: 400,
    type: 'invalid_request_error',
    text: 'thread: conversations are not kept here. Send all of their messages, without `thread`.',
  },
  conflict: { status: 409, type: 'conflict_error', text: '{reason}' },
  unreadable_report: {
    status: 400,
    type: 'invalid_request_error',
    text: 'The report cannot be compared: {reason}.',
  },
  body_too_large: { status: 413, type: 'request_too_large', text: 'The request is larger than {limit}.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    text: 'The content type or encoding is not supported; send application/json.',
  },
  rate_limited: {
    status: 429,
    type: 'rate_limit_error',
    text: 'This key may make {limit} requests a minute. Try again in {seconds} seconds.',
  },
  budget_shaped: {
    status: 429,
    type: 'rate_limit_error',
    text: 'Your budget is used to {percent} %, so you may make {limit} requests a minute until it starts again. Try again in {seconds} seconds.',
  },
  budget_exceeded: { status: 429, type: 'billing_error', text: '{reason}' },
  internal: {
    status: 500,
    type: 'api_error',
    text: 'Something went wrong inside the gateway. The request id helps an administrator to find out why.',
  },
  upstream_unreachable: { status: 502, type: 'api_error', text: 'The hosted model service could not be reached.' },
  upstream_broken: {
    status: 502,
    type: 'api_error',
    text: 'The hosted model service sent an answer that could not be read.',
  },
  database_required: {
    status: 503,
    type: 'api_error',
    text: 'This needs a database, and the gateway runs without one. Set DATABASE_URL or DATABASE_HOST.',
  },
  database_unavailable: {
    status: 503,
    type: 'api_error',
    text: 'The database does not answer. Nothing was changed; try again shortly.',
  },
  not_ready: { status: 503, type: 'api_error', text: 'The gateway is not ready: {reason}' },
  no_endpoint: { status: 503, type: 'api_error', text: 'No endpoint can serve this request now.' },
  overloaded: { status: 529, type: 'overloaded_error', text: 'The gateway is at its limit. Try again in a moment.' },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof catalogue

export interface ProblemDetail {
  readonly path: string
  readonly message: string
}

export interface ProblemOptions {
  /** Sent to the client as they are. */
  readonly headers?: Readonly<Record<string, string>>
  /** Shown to the client as `error.details`. */
  readonly details?: readonly ProblemDetail[]
  /** For the log only. */
  readonly cause?: unknown
  /** The limit that is reached, for the request log. */
  readonly limit?: ReachedLimit
  /** Who holds the credential that is rejected, for the request log. */
  readonly rejected?: Caller
}

export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly type: ErrorType
  readonly headers: Readonly<Record<string, string>>
  readonly details: readonly ProblemDetail[]
  readonly limit: ReachedLimit | null
  readonly rejected: Caller | undefined

  constructor(
    code: ErrorCode,
    parameters: Readonly<Record<string, string | number>> = {},
    options: ProblemOptions = {},
  ) {
    const entry: CatalogueEntry = catalogue[code]
    super(
      entry.text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole)),
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'Problem'
    this.code = code
    this.status = entry.status
    this.type = entry.type
    this.headers = options.headers ?? {}
    this.details = options.details ?? []
    this.limit = options.limit ?? null
    this.rejected = options.rejected
  }
}

export function problem(
  code: ErrorCode,
  parameters?: Readonly<Record<string, string | number>>,
  options?: ProblemOptions,
): Problem {
  return new Problem(code, parameters, options)
}

/** A parameter that is wrong, named for programs too. */
export function invalidParameter(name: string, reason: string): Problem {
  return problem('invalid_parameter', { name, reason }, { details: [{ path: name, message: reason }] })
}

/** A body field that is wrong, named for programs too. */
export function invalidField(path: string, message: string, cause?: unknown): Problem {
  return problem('invalid_body', { reason: `${path}: ${message}` }, { details: [{ path, message }], cause })
}

/** `at` counts the bytes before the first one that is no text. */
export function invalidUtf8(at: number): Problem {
  return problem('invalid_json', { reason: `invalid UTF-8 at byte ${at}. Encode the body as UTF-8.` })
}

/** Headers of the answer. Whoever meets a part that is away is told when to come back. */
export function errorHeaders({ status, headers }: Problem): Readonly<Record<string, string>> {
  return status === 503 ? { 'retry-after': '5', ...headers } : headers
}

/** The body that every route answers on failure. */
export function errorBody(failure: Problem, requestId: string, details: object = failure.details): object {
  return {
    type: 'error',
    error: {
      type: failure.type,
      message: failure.message,
      code: failure.code,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    },
    request_id: requestId,
  }
}
