/** For small message routes that answer from memory: checks the caller, answers JSON, turns problems into the client's form. */
import type { ServerResponse } from 'node:http'
import { type Caller, callerLabel } from '../foundation/domain/caller.ts'
import { describeProblem } from '../foundation/domain/describe-failure.ts'
import { Problem, problem } from '../foundation/domain/errors.ts'
import { keepAllowed } from '../foundation/domain/failure-reason.ts'
import type { RawContext, RawRoute } from '../foundation/http/route.ts'
import { authenticate } from './authenticate.ts'
import { addHostedId, type Dialect } from './dialect.ts'
import type { PathPorts } from './path-ports.ts'

export type CallerPorts = Pick<PathPorts, 'authenticate' | 'whyNotReady' | 'log' | 'snapshot'>

export function answeringCaller(
  ports: CallerPorts,
  dialect: Dialect,
  answer: (caller: Caller, query: URLSearchParams, context: RawContext) => object,
): RawRoute['handle'] {
  return (request, response, context) => {
    const run = async (): Promise<void> => {
      const caller = await authenticate(request, ports)
      context.identify(callerLabel(caller))
      const query = new URLSearchParams(request.url?.split('?')[1] ?? '')
      send(
        response,
        200,
        JSON.stringify(answer(caller, query, context)),
        addHostedId({}, dialect.form, context.requestId),
      )
    }
    run().catch((error: unknown) => {
      const refused = error instanceof Problem ? error : problem('internal', {}, { cause: error })
      if (refused.code === 'internal') ports.log.error({ id: context.requestId, err: error }, 'request failed')
      context.explain(keepAllowed(describeProblem(refused), ports.snapshot.current().settings))
      const reply = dialect.refusal(refused, context.requestId)
      send(response, reply.status, reply.body, addHostedId({ ...reply.headers }, dialect.form, context.requestId))
    })
  }
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>>): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-type': 'application/json',
    // What is asked for with `x-api-key` looks to a cache in between as if everybody may have it.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
