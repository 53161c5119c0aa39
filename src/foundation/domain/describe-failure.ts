/** Finds the reason for a failure: of the gateway's own refusals by their code, of Amazon Bedrock's by status, name and words. */
import type { ErrorCode, ErrorType, Problem } from './errors.ts'
import { shortenFailureMessage } from './failure-message.ts'
import type { FailureKind, FailureReason } from './failure-reason.ts'
import type { ProviderFailure } from './provider-failure.ts'
import { publicWords } from './provider-words.ts'

const kindByType: Readonly<Record<ErrorType, FailureKind>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'credential',
  permission_error: 'credential',
  not_found_error: 'model_access',
  conflict_error: 'invalid_request',
  request_too_large: 'invalid_request',
  rate_limit_error: 'rate_limit',
  billing_error: 'budget',
  api_error: 'gateway',
  overloaded_error: 'gateway',
}

/** Refusals whose cause is not what their type says. */
const kindByCode: Partial<Record<ErrorCode, FailureKind>> = {
  budget_shaped: 'budget',
  model_without_price: 'model_access',
  // Message routes only use it for a body that ended early.
  invalid_request_line: 'client_left',
}

export function describeProblem(problem: Problem): FailureReason {
  return {
    kind: kindByCode[problem.code] ?? kindByType[problem.type],
    code: problem.code,
    message: shortenFailureMessage(problem.message),
    limit: problem.limit,
  }
}

/** The client disconnected while the hosted service was answering. */
export const clientLeft: FailureReason = {
  kind: 'client_left',
  code: 'client_left',
  message: 'The client disconnected before the response was complete.',
  limit: null,
}

/** Bedrock answers with the message that the guardrail is configured with, as if the model had written it. */
export const guardrailIntervened: FailureReason = {
  kind: 'guardrail',
  code: 'guardrail_intervened',
  message: 'A guardrail in Amazon Bedrock blocked the request or the response.',
  limit: null,
}

/** The process ended before the request did, and the next one wrote its record. */
export const gatewayStopped: FailureReason = {
  kind: 'gateway',
  code: 'gateway_stopped',
  message: 'The gateway process ended before the response was complete.',
  limit: null,
}

/** Failures that the gateway makes itself, by their names. */
const ownFailures: Readonly<Record<string, Pick<FailureReason, 'kind' | 'code'>>> = {
  ClientLeft: clientLeft,
  GatewayFault: { kind: 'gateway', code: 'internal' },
  GatewayStopping: gatewayStopped,
}

/** `message` is what the client received, where that is not just Bedrock's own words. */
export function describeFailure(failure: ProviderFailure, message = publicWords(failure)): FailureReason {
  const own = ownFailures[failure.name]
  const { kind, code } = own ?? { kind: findKind(failure), code: findCode(failure) }
  if (kind === 'client_left') return clientLeft
  return { kind, code, message: shortenFailureMessage(message), limit: null }
}

function findCode({ kind, name }: ProviderFailure): string {
  // AWS sends the name in a header.
  if (/^\w{1,64}$/.test(name)) return name
  if (kind === 'unreachable') return 'upstream_unreachable'
  return kind === 'broken' ? 'upstream_broken' : 'upstream_error'
}

const kindByStatus: Readonly<Record<number, FailureKind>> = {
  401: 'aws_access',
  402: 'aws_access',
  403: 'aws_access',
  404: 'model_access',
  408: 'timeout',
  424: 'aws_unavailable',
  429: 'throttled_by_aws',
  504: 'timeout',
}

const kindByName: Readonly<Record<string, FailureKind>> = {
  FTUFormNotFilled: 'aws_access',
  ModelNotReadyException: 'aws_unavailable',
  ServiceQuotaExceededException: 'throttled_by_aws',
}

function findKind(failure: ProviderFailure): FailureKind {
  const { kind, status, name, foreignText } = failure
  if (kind === 'credentials') return 'aws_access'
  if (kind !== 'answered') return status === 504 ? 'timeout' : 'network'
  // A proxy answered. Its status says nothing about AWS.
  if (foreignText !== undefined) return 'network'
  const known = isAboutGuardrail(failure) ? 'guardrail' : (kindByName[name] ?? kindByStatus[status])
  if (known !== undefined) return known
  if (status >= 500) return 'aws_unavailable'
  return isAboutModel(failure) ? 'model_access' : 'invalid_request'
}

/** Only words of Bedrock itself: what it quotes is the client's. */
function isAboutGuardrail({ status, message }: ProviderFailure): boolean {
  return (
    status < 500 && status !== 429 && /\bguardrail\b/i.test(message.replace(/"[^"]*("|$)|'[^']*('|$)|`[^`]*(`|$)/g, ''))
  )
}

function isAboutModel({ message }: ProviderFailure): boolean {
  return /^the provided model identifier is invalid|^invocation of model id\b.{0,300}\bon-demand throughput/i.test(
    message,
  )
}
