/** Notes every hosted call of a request in the journal before it is sent, so that a crash during it leaves a record. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { MessagePath } from '../data-plane/pipeline.ts'
import type { HostedCall, Ledger, ModelHost } from '../data-plane/ports.ts'
import { type Caller, payingTeamId } from '../domain/caller.ts'
import type { WritingLedger } from '../state/ledger.ts'

interface RunningRequest {
  readonly requestId: string
  readonly atMs: number
  caller: Caller | undefined
  round: number
}

export interface OpenCalls {
  readonly path: (path: MessagePath) => MessagePath
  readonly authenticate: <H>(
    authenticate: (headers: H) => Caller | Promise<Caller>,
  ) => (headers: H) => Caller | Promise<Caller>
  readonly host: <H extends ModelHost>(host: H) => H
  readonly ledger: Ledger
}

/**
 * The request is carried beside the calls and not through them: the stages of the message path need not know that a
 * journal exists.
 */
export function createOpenCalls(ledger: Pick<WritingLedger, 'open' | 'close' | 'append'>): OpenCalls {
  const running = new AsyncLocalStorage<RunningRequest>()

  const note = (call: HostedCall, streaming: boolean): (() => void) => {
    const request = running.getStore()
    if (request === undefined) return () => undefined
    const { requestId, round, atMs, caller } = request
    ledger.open({
      requestId,
      round,
      atMs,
      keyId: caller?.kind === 'key' ? caller.key.id : null,
      userId: caller?.user?.id ?? null,
      teamId: caller === undefined ? null : payingTeamId(caller),
      endpointId: call.endpoint.id,
      hostedModel: call.modelId,
      streaming,
      requestBytes: call.body.reduce((sum, part) => sum + part.length, 0),
    })
    return () => ledger.close(requestId, round)
  }

  return {
    path: (path) => (request, response, context, operation) =>
      running.run({ requestId: context.requestId, atMs: Date.now(), caller: undefined, round: 0 }, () =>
        path(request, response, context, operation),
      ),
    authenticate: (authenticate) => (headers) => {
      const request = running.getStore()
      const keep = (caller: Caller): Caller => {
        if (request !== undefined) request.caller = caller
        return caller
      }
      const caller = authenticate(headers)
      return caller instanceof Promise ? caller.then(keep) : keep(caller)
    },
    host: (host) => ({
      ...host,
      invoke: (call, handler) => {
        const close = note(call, false)
        let answered = false
        return host.invoke(call, {
          ...handler,
          onHead: (status, headers) => {
            answered = true
            handler.onHead(status, headers)
          },
          onFailure: (failure) => {
            if (!answered) close()
            handler.onFailure(failure)
          },
        })
      },
      stream: (call, handler) => {
        const close = note(call, true)
        let answered = false
        return host.stream(call, {
          ...handler,
          onHead: (headers) => {
            answered = true
            handler.onHead(headers)
          },
          onFailure: (failure) => {
            if (!answered) close()
            handler.onFailure(failure)
          },
        })
      },
    }),
    ledger: {
      append: (record) => {
        const request = running.getStore()
        if (request?.requestId === record.requestId) request.round = record.round + 1
        return ledger.append(record)
      },
    },
  }
}
