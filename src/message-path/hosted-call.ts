/** The call to Bedrock that a request becomes on one endpoint. */
import type { AnswerProgress } from '../foundation/domain/build-spend-record.ts'
import { invalidParameter, type Problem } from '../foundation/domain/errors.ts'
import type { Charge, HostedCall } from '../foundation/domain/model-host.ts'
import type { Arrived, Candidate, Reserved } from './call.ts'
import type { PreparedRequest } from './prepare-request.ts'

/**
 * Headers that mean something to Bedrock and travel as they are; nothing else of the client's does. A service tier and a
 * latency do not: both have prices of their own, and what is spent must be what is recorded.
 */
const forwardedHeaders = [
  'x-amzn-bedrock-guardrailidentifier',
  'x-amzn-bedrock-guardrailversion',
  'x-amzn-bedrock-trace',
] as const

/** Refused before any endpoint is asked: what cannot be sent would count as the failure of each of them. */
export function findHeaderProblem({ request, dialect }: Arrived): Problem | undefined {
  if (dialect.form === 'messages') return undefined
  const name = forwardedHeaders.find((header) => !/^[\x20-\x7e]*$/.test(String(request.headers[header] ?? '')))
  return name && invalidParameter(name, 'must be plain text in ASCII')
}

export function buildHostedCall(
  { request, dialect, requestId, round, receivedAtMs, caller, model, attribution }: Reserved,
  candidate: Candidate,
  prepared: PreparedRequest,
  { firstByteTimeoutMs }: { readonly firstByteTimeoutMs: number },
  readProgress?: () => AnswerProgress,
): HostedCall {
  const asked = { model: model.requestedId, hostedModelId: model.hostedModelId, attribution }
  const charge: Charge = { requestId, round, atMs: receivedAtMs, caller, asked }
  const call: HostedCall = {
    endpoint: candidate.endpoint,
    modelId: candidate.modelId,
    body: prepared.body,
    firstByteTimeoutMs,
    charge: readProgress === undefined ? charge : { ...charge, readProgress },
  }
  if (dialect.form === 'messages') return call
  const headers: Record<string, string> = {}
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return { ...call, headers }
}
