/** Failures that no endpoint has answered with: what the gateway itself says about a call to Bedrock. */
import { problem } from '../foundation/domain/errors.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'

/** The client left and nobody waits for the answer any more. 499 is what proxies call it; it never reaches a client. */
export const abandoned: ProviderFailure = {
  kind: 'unreachable',
  status: 499,
  name: 'ClientLeft',
  message: 'The client left before the answer came.',
  retryAfterSeconds: null,
}

/** The same, so early that Bedrock has seen nothing of the call and charges nothing. */
export const neverSent: ProviderFailure = { ...abandoned, message: 'The client left before the request was sent.' }

export const unreadableAnswer: ProviderFailure = {
  kind: 'broken',
  status: 502,
  name: 'UnreadableAnswer',
  message: 'The answer of the hosted service is not JSON.',
  retryAfterSeconds: null,
}

export const emptyStream: ProviderFailure = {
  kind: 'broken',
  status: 502,
  name: 'EmptyStream',
  message: 'The hosted service ended its stream before the first event.',
  retryAfterSeconds: null,
}

export const incompleteStream: ProviderFailure = {
  kind: 'broken',
  status: 502,
  name: 'IncompleteStream',
  message: 'The stream of the hosted service ended before the message did.',
  retryAfterSeconds: null,
}

/** Something of ours broke when the answer had begun. */
export const gatewayFault: ProviderFailure = {
  kind: 'answered',
  status: 500,
  name: 'GatewayFault',
  message: problem('internal').message,
  retryAfterSeconds: null,
}

export const shuttingDown: ProviderFailure = {
  kind: 'answered',
  status: 503,
  name: 'GatewayStopping',
  message: 'The gateway is being restarted. Please send the request again.',
  retryAfterSeconds: 1,
}
