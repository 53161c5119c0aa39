/** What differs between clients of the Messages form and clients that speak the hosted service's own form. */
import type { ReadAnswer } from '../foundation/domain/build-spend-record.ts'
import type { Problem } from '../foundation/domain/errors.ts'
import type { TakeEvent } from '../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'

/** The client's form decides how answers, errors and streams are written. */
export type ClientForm = 'messages' | 'bedrock'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For the record: the type the client reads. */
  readonly errorType: string
  /** For the record: the sentence that the client reads. */
  readonly message: string
}

/** What an answer says about itself, whole or streamed. */
export interface AnswerFacts extends ReadAnswer {
  readonly webSearches: number
  /** A guardrail blocked the prompt or the answer. */
  readonly guardrailIntervened: boolean
}

export interface TranslatedAnswer {
  readonly body: readonly Buffer[]
  readonly bytes: number
  readonly facts: AnswerFacts
  /** Those of the hosted service that its own clients know. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface StreamTranslator {
  readonly add: TakeEvent
  readonly take: () => Buffer
  readonly isComplete: () => boolean
  readonly facts: () => AnswerFacts
}

export interface Dialect {
  readonly form: ClientForm
  readonly streamHeaders: Readonly<Record<string, string>>
  readonly pingBytes: Buffer
  readonly translateStream: (requestedModel: string) => StreamTranslator
  /** Undefined when the answer is not what it should be. */
  readonly translateWhole: (
    body: Buffer,
    requestedModel: string,
    headers: Readonly<Record<string, string>>,
  ) => TranslatedAnswer | undefined
  readonly refusal: (problem: Problem, requestId: string) => Reply
  readonly failure: (failure: ProviderFailure, requestId: string) => Reply
  readonly failureInStream: (failure: ProviderFailure, requestId: string) => Buffer
}

/** The hosted service's own libraries look for the id of a call elsewhere than those of the Messages form. */
export function addHostedId(
  headers: Record<string, string>,
  form: ClientForm,
  requestId: string,
): Record<string, string> {
  if (form === 'bedrock') headers['x-amzn-requestid'] = requestId
  return headers
}
