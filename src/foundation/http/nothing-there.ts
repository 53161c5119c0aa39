/**
 * What is said where there is no route. Most who come there have set up a client in the usual wrong way, so it says what to
 * change; and who speaks the hosted service's form is answered in it, or its libraries show no word of it.
 */
import { type Problem, problem } from '../domain/errors.ts'

const mistakes: readonly (readonly [RegExp, string])[] = [
  [
    /^\/model\/[^/]+\/converse(?:-stream)?$/,
    'The Converse API is not offered here: use InvokeModel or InvokeModelWithResponseStream, or the Messages API at /v1/messages.',
  ],
  [
    /^(?:\/v1)*\/(?:chat\/completions|completions|responses|embeddings)$/,
    'This gateway speaks the Messages API: choose Anthropic as the provider of this client, not one that is compatible with OpenAI.',
  ],
  [
    /^\/\//,
    'The address of the gateway was set with a slash at its end, and this client adds its own: leave the slash out.',
  ],
  [/^\/v1\/v1\//, 'The address of the gateway was set with /v1, and this client adds its own: leave /v1 out.'],
  [
    /^\/(?:messages|messages\/count_tokens|models(?:\/[^/]+)?)$/,
    'This client adds no /v1 of its own: set the address of the gateway with /v1 at its end.',
  ],
]

const OTHERWISE = 'GET /openapi.json lists what there is.'

export function nothingThere(method: string, path: string, allowed: readonly string[]): Problem {
  if (allowed.length === 0) {
    const advice = mistakes.find(([pattern]) => pattern.test(path))?.[1] ?? OTHERWISE
    return problem('route_not_found', { method, path: path.slice(0, 200), advice })
  }
  const allow = allowed.join(', ')
  return problem('method_not_allowed', { method, allow }, { headers: { allow } })
}

/** Optional parts of SCIM that a client may look for (RFC 7644 3.4.3, 3.7 and 3.11). */
const notOffered: readonly (readonly [RegExp, what: string, instead: string])[] = [
  [/^\/scim\/v2\/Me(?:\/|$)/, '/Me', 'Use /Users with the id of the user.'],
  [/^\/scim\/v2\/Bulk$/, '/Bulk', 'Send one request for each user or group.'],
  [/^\/scim\/v2\/(?:\w+\/)?\.search$/, '/.search', 'Use GET on /Users or /Groups with a filter.'],
]

export function findNotOffered(path: string): Problem | undefined {
  const found = notOffered.find(([pattern]) => pattern.test(path))
  return found && problem('not_offered', { what: found[1], instead: found[2] })
}

interface Refusal {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** In the form that the client's libraries understand; undefined for the form of this gateway. */
export function refusalFor(path: string, refused: Problem, requestId: string): Refusal | undefined {
  if (/^\/(?:model|guardrail|async-invoke|inference-profiles|foundation-models)(?:\/|$)/.test(path))
    return hostedRefusal(refused, requestId)
  return /^\/scim\/v2(?:\/|$)/.test(path) ? scimRefusal(refused) : undefined
}

/** As the hosted service answers to an operation that it does not know. */
function hostedRefusal(refused: Problem, requestId: string): Refusal {
  return {
    headers: {
      'content-type': 'application/json',
      'x-amzn-errortype': 'UnknownOperationException',
      'x-amzn-requestid': requestId,
    },
    body: { message: refused.message },
  }
}

/** RFC 7644 3.12. */
function scimRefusal(refused: Problem): Refusal {
  return {
    headers: { 'content-type': 'application/scim+json; charset=utf-8' },
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(refused.status),
      detail: refused.message,
    },
  }
}
