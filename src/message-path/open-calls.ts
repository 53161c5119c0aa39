/** Notes every charged call to Bedrock in the journal before it is sent, so that a crash during it leaves a record. */
import { findPayer } from '../foundation/domain/caller.ts'
import {
  type AnswerHandler,
  type AskHost,
  type Charge,
  deferExchange,
  type HostedCall,
  type ModelHost,
} from '../foundation/domain/model-host.ts'
import type { OpenCall } from '../foundation/domain/open-call.ts'
import { noPayer } from '../foundation/domain/spend-record.ts'
import { defined } from '../foundation/platform/defined.ts'
import type { OpenCallNotes } from './ports.ts'

/** Calls that are charged to nobody go straight through. */
export function withOpenCalls<H extends ModelHost>(host: H, notes: OpenCallNotes): H {
  return { ...host, invoke: noting(host.invoke, notes, false), stream: noting(host.stream, notes, true) }
}

function noting(ask: AskHost, notes: OpenCallNotes, isStream: boolean): AskHost {
  return (call, handler) => {
    if (call.charge === undefined) return ask(call, handler)
    const note = toOpenCall(call, call.charge, isStream)
    const closing = closeWhenRefused(handler, notes, note)
    // The exchange exists at once, though its call is sent only when the note is written.
    const { exchange, begin } = deferExchange(() => ask(call, closing))
    const beginOrClose = (): void => {
      // Nothing was sent, so nothing will be charged.
      if (!begin(undefined)) notes.close(note.requestId, note.round)
    }
    notes.open(note, beginOrClose, isStream ? call.charge.readProgress : undefined)
    return exchange
  }
}

/** Made apart from the call: what listens to an answer lives as long as it does, and must not hold on to the request. */
function closeWhenRefused(handler: AnswerHandler, notes: OpenCallNotes, { requestId, round }: OpenCall): AnswerHandler {
  let isAnswered = false
  return {
    onHead: (status, head) => {
      isAnswered = true
      handler.onHead(status, head)
    },
    onData: handler.onData,
    onReadEnd: handler.onReadEnd,
    onEnd: handler.onEnd,
    onFailure: (failure) => {
      if (!isAnswered) notes.close(requestId, round)
      handler.onFailure(failure)
    },
  }
}

function toOpenCall(call: HostedCall, { requestId, round, atMs, caller, asked }: Charge, streaming: boolean): OpenCall {
  let requestBytes = 0
  for (const piece of call.body) requestBytes += piece.length
  return {
    requestId,
    round,
    atMs,
    ...(caller === null ? noPayer : findPayer(caller)),
    endpointId: call.endpoint.id,
    hostedModel: call.modelId,
    streaming,
    requestBytes,
    ...defined({ asked }),
  }
}
