/** Small things that the client expects of a gateway it has signed in to: a sign of life, a description, a place for telemetry. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type Caller, callerLabel } from '../../../foundation/domain/caller.ts'
import { errorBody, Problem, problem } from '../../../foundation/domain/errors.ts'
import { readPieces } from '../../../foundation/http/read-body.ts'
import { apiRoute, ok, type Route, rawRoute } from '../../../foundation/http/route.ts'
import { bodyLimit } from './body-limit.ts'
import { sendJson } from './oauth-answer.service.ts'

export interface GatewayFacePorts {
  readonly authenticate: (headers: IncomingHttpHeaders) => Caller | Promise<Caller>
}

const tag = 'Sign-in of the client'
const MAX_TELEMETRY_BYTES = 16 * 1024 * 1024

const protocolText = `# What this gateway offers to the client

- \`GET /.well-known/oauth-authorization-server\`: where to sign in (RFC 8414).
- \`POST /oauth/device_authorization\`, \`GET /device\`, \`POST /oauth/token\`: device sign-in (RFC 8628) with refresh tokens that
  work once. A refresh that answers \`401 {"error":"invalid_grant"}\` means: sign in again.
- \`POST /oauth/revoke\`: sign out (RFC 7009). Either token ends the session.
- \`POST /v1/messages\`, \`POST /v1/messages/count_tokens\`, \`GET /v1/models\`: the Messages API.
- \`GET /managed/settings\`: \`{uuid, checksum, settings}\` with an ETag.
- \`POST /v1/metrics\`, \`/v1/logs\`, \`/v1/traces\`: OTLP is accepted and thrown away.
- \`HEAD /api/hello\`: a sign of life.

Errors of the routes that want a bearer token: \`{"type":"error","error":{"type","message","code"},"request_id"}\`.
`

export function gatewayFaceRoutes(ports: GatewayFacePorts): Route[] {
  return [
    ...(['/', '/api/hello'] as const).map((path) =>
      apiRoute({
        method: 'HEAD',
        path,
        access: 'open',
        tag,
        summary: 'A sign of life, which the client asks for at its start',
        answers: { 200: { text: 'Alive' } },
        handle: () => ({ status: 200 }),
      }),
    ),
    apiRoute({
      method: 'GET',
      path: '/protocol',
      access: 'open',
      tag,
      summary: 'What this gateway offers to the client, for people',
      answers: { 200: { text: 'Markdown' } },
      handle: () => ok(protocolText, { 'content-type': 'text/markdown; charset=utf-8' }),
    }),
    ...(['metrics', 'logs', 'traces'] as const).map((signal) =>
      rawRoute({
        method: 'POST',
        path: `/v1/${signal}`,
        access: 'client',
        tag,
        summary: `Telemetry of the client (${signal}): accepted and thrown away`,
        description: 'It can hold prompts and file names, which the gateway does not keep.',
        answers: { 200: { text: 'Accepted' }, 413: { text: 'Larger than 16 MiB' } },
        handle: (request, response, { requestId, identify }) => {
          discard(ports, request, response, identify).catch((error: unknown) => {
            const failure = error instanceof Problem ? error : problem('internal', {}, { cause: error })
            request.resume()
            sendJson(response, failure.status, errorBody(failure, requestId), {
              ...failure.headers,
              connection: 'close',
            })
          })
        },
      }),
    ),
  ]
}

/** 200 whatever it was: any other answer makes the client write an error at every flush. */
async function discard(
  ports: GatewayFacePorts,
  request: IncomingMessage,
  response: ServerResponse,
  identify: (label: string) => void,
): Promise<void> {
  identify(callerLabel(await ports.authenticate(request.headers)))
  await readPieces(request, bodyLimit(MAX_TELEMETRY_BYTES), () => {}).done
  sendJson(response, 200, {})
}
