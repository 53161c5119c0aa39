/** Token counting in both forms. Never billed, outside rate limits and budgets. */
import { z } from 'zod'
import { invalidField, invalidUtf8, problem } from '../foundation/domain/errors.ts'
import { type RawRoute, rawRoute } from '../foundation/http/route.ts'
import { findInvalidUtf8 } from '../foundation/platform/invalid-utf8.ts'
import { bedrockDialect } from './bedrock-dialect.ts'
import type { CountPath } from './count-path.ts'
import { messagesDialect } from './messages-dialect.ts'
import { type MessagesRequest, readBedrockCountRequest, readCountTokensRequest } from './translate/read-request.ts'

const shared = {
  method: 'POST',
  access: 'client',
  tag: 'Messages',
  answers: { 200: { text: 'The number of input tokens' }, 404: { text: 'No such model here' } },
} as const

export function countTokensRoutes(count: CountPath): RawRoute[] {
  return [
    rawRoute({
      ...shared,
      path: '/v1/messages/count_tokens',
      summary: 'Count the tokens of a message',
      body: z.looseObject({ model: z.string(), messages: z.array(z.unknown()).min(1) }),
      handle: (request, response, context) =>
        count(request, response, context, {
          dialect: messagesDialect,
          read: readCountTokensRequest,
          toBody: (tokens) => ({ input_tokens: tokens }),
        }),
    }),
    rawRoute({
      ...shared,
      path: '/model/{model_id}/count-tokens',
      summary: "Count the tokens of a message in the hosted service's form",
      body: z.looseObject({ input: z.looseObject({}) }),
      errorForm: 'bedrock',
      answers: {
        ...shared.answers,
        200: { text: 'The number of input tokens', schema: z.object({ inputTokens: z.int() }) },
      },
      handle: (request, response, context) =>
        count(request, response, context, {
          dialect: bedrockDialect,
          read: (body) => readWrapped(body, context.params['model_id'] ?? ''),
          toBody: (tokens) => ({ inputTokens: tokens }),
        }),
    }),
  ]
}

/** The hosted service wraps the request in base64, or takes another form of its own, which is not offered here. */
function readWrapped(body: Buffer, model: string): MessagesRequest {
  const invalidAt = findInvalidUtf8(body)
  if (invalidAt !== undefined) throw invalidUtf8(invalidAt)
  let wrapped: unknown
  try {
    wrapped = (JSON.parse(body.toString('utf8')) as { input?: { invokeModel?: { body?: unknown } } }).input?.invokeModel
      ?.body
  } catch {
    throw problem('invalid_json', { reason: 'it could not be parsed' })
  }
  if (typeof wrapped !== 'string') throw invalidField('input.invokeModel.body', 'a base64 string is required')
  return readBedrockCountRequest(Buffer.from(wrapped, 'base64'), model)
}
