/** Notes every charged hosted call in the journal before it is sent, so that a crash during it leaves a record. */
import type { HostedCall, HostedExchange, ModelHost } from '../data-plane/ports.ts'
import { payingTeamId } from '../domain/caller.ts'
import type { OpenCall } from '../state/journal-entry.ts'
import type { WritingLedger } from '../state/ledger.ts'

type Notes = Pick<WritingLedger, 'open' | 'close'>

/** Calls that are charged to nobody go straight through. */
export function withOpenCalls<H extends ModelHost>(host: H, ledger: Notes): H {
  return {
    ...host,
    invoke: (call, handler) => {
      if (call.charge === undefined) return host.invoke(call, handler)
      let answered = false
      return startNoted(ledger, openCallOf(call, call.charge, false), (refused) =>
        host.invoke(call, {
          onHead: (status, headers) => {
            answered = true
            handler.onHead(status, headers)
          },
          onData: handler.onData,
          onEnd: handler.onEnd,
          onFailure: (failure) => {
            if (!answered) refused()
            handler.onFailure(failure)
          },
        }),
      )
    },
    stream: (call, handler) => {
      if (call.charge === undefined) return host.stream(call, handler)
      let answered = false
      return startNoted(ledger, openCallOf(call, call.charge, true), (refused) =>
        host.stream(call, {
          onHead: (headers) => {
            answered = true
            handler.onHead(headers)
          },
          onEvent: handler.onEvent,
          onReadEnd: handler.onReadEnd,
          onEnd: handler.onEnd,
          onFailure: (failure) => {
            if (!answered) refused()
            handler.onFailure(failure)
          },
        }),
      )
    },
  }
}

/** The exchange exists at once, though its call is sent only when the note is written. */
function startNoted(ledger: Notes, note: OpenCall, start: (refused: () => void) => HostedExchange): HostedExchange {
  let exchange: HostedExchange | undefined
  let isPaused = false
  let isAborted = false
  const refused = (): void => ledger.close(note.requestId, note.round)
  ledger.open(note, () => {
    // Nothing was sent, so nothing will be charged.
    if (isAborted) {
      refused()
      return
    }
    exchange = start(refused)
    if (isPaused) exchange.pause()
  })
  return {
    pause: () => {
      isPaused = true
      exchange?.pause()
    },
    resume: () => {
      isPaused = false
      exchange?.resume()
    },
    abort: () => {
      isAborted = true
      exchange?.abort()
    },
  }
}

function openCallOf(
  call: HostedCall,
  { requestId, round, atMs, caller }: NonNullable<HostedCall['charge']>,
  streaming: boolean,
): OpenCall {
  let requestBytes = 0
  for (const piece of call.body) requestBytes += piece.length
  return {
    requestId,
    round,
    atMs,
    keyId: caller?.kind === 'key' ? caller.key.id : null,
    userId: caller?.user?.id ?? null,
    teamId: caller === null ? null : payingTeamId(caller),
    endpointId: call.endpoint.id,
    hostedModel: call.modelId,
    streaming,
    requestBytes,
  }
}
