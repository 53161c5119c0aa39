/** The message routes in both forms. Bodies are read raw and pass through; the schemas only document. */
import { z } from 'zod'
import { type RawRoute, rawRoute } from '../foundation/http/route.ts'
import { bedrockDialect } from './bedrock-dialect.ts'
import { messagesDialect } from './messages-dialect.ts'
import type { MessagePath } from './pipeline.ts'
import { readBedrockRequest, readMessagesRequest } from './translate/read-request.ts'

const messagesBody = z.looseObject({
  model: z.string(),
  max_tokens: z.int().min(0),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).min(1),
  stream: z.boolean().optional(),
  system: z.unknown().optional(),
  tools: z.array(z.unknown()).optional(),
})

const hostedBody = z.looseObject({
  anthropic_version: z.string().optional(),
  max_tokens: z.int().min(0),
  messages: z.array(z.unknown()).min(1),
})

/** As the model writes it; only what every answer has is described. */
const hostedAnswer = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
})

const shared = {
  method: 'POST',
  access: 'client',
  tag: 'Messages',
  answers: {
    200: { text: 'The answer of the model, whole or as a stream' },
    400: { text: 'Not accepted by the gateway or the model' },
    404: { text: 'No such model here' },
    429: { text: 'Over a rate limit or a budget, or throttled by the hosted service' },
  },
} as const

const createMessage = { dialect: messagesDialect, read: readMessagesRequest }

export function messageRoutes(serve: MessagePath): RawRoute[] {
  return [
    rawRoute({
      ...shared,
      path: '/v1/messages',
      summary: 'Create a message',
      description: 'The Messages API. Unknown fields are passed on; the query string is ignored.',
      body: messagesBody,
      handle: (request, response, context) => serve(request, response, context, createMessage),
    }),
    hostedRoute(serve, 'invoke', false),
    hostedRoute(serve, 'invoke-with-response-stream', true),
  ]
}

function hostedRoute(serve: MessagePath, operation: string, stream: boolean): RawRoute {
  return rawRoute({
    ...shared,
    path: `/model/{model_id}/${operation}`,
    summary: `Create a message in the hosted service's form (${operation})`,
    body: hostedBody,
    errorForm: 'bedrock',
    answers: {
      ...shared.answers,
      200: stream
        ? {
            text: 'The answer of the model as a stream',
            schema: z.string(),
            type: 'application/vnd.amazon.eventstream',
          }
        : { text: 'The answer of the model', schema: hostedAnswer },
    },
    handle: (request, response, context) => {
      const model = context.params['model_id'] ?? ''
      serve(request, response, context, {
        dialect: bedrockDialect,
        read: (body) => readBedrockRequest(body, { model, stream }),
      })
    },
  })
}
