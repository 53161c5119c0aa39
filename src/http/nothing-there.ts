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

const hostedPaths = /^\/(?:model|guardrail|async-invoke)(?:\/|$)/

/** Whether a path is one of the hosted service's runtime, of which only some are offered. */
export function isHostedPath(path: string): boolean {
  return hostedPaths.test(path)
}

/** As the hosted service answers to an operation that it does not know. */
export function hostedRefusal(refused: Problem, requestId: string) {
  return {
    headers: { 'x-amzn-errortype': 'UnknownOperationException', 'x-amzn-requestid': requestId },
    body: JSON.stringify({ message: refused.message }),
  }
}
