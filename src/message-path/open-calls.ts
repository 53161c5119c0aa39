/** Notes every charged hosted call in the journal before it is sent, so that a crash during it leaves a record. */

import { findPayer } from '../foundation/domain/caller.ts'
import type { OpenCall } from '../foundation/domain/open-call.ts'
import { noPayer } from '../foundation/domain/spend-record.ts'
import { defined } from '../foundation/platform/defined.ts'
import type {
  Charge,
  HostedBodyHandler,
  HostedCall,
  HostedExchange,
  HostedStreamHandler,
  ModelHost,
  OpenCallNotes,
} from './ports.ts'

/** Calls that are charged to nobody go straight through. */
export function withOpenCalls<H extends ModelHost>(host: H, notes: OpenCallNotes): H {
  return {
    ...host,
    invoke: (call, handler) => {
      if (call.charge === undefined) return host.invoke(call, handler)
      const note = toOpenCall(call, call.charge, false)
      return startNoted(notes, note, undefined, () => host.invoke(call, closingBody(handler, notes, note)))
    },
    stream: (call, handler) => {
      if (call.charge === undefined) return host.stream(call, handler)
      const note = toOpenCall(call, call.charge, true)
      return startNoted(notes, note, call.charge.readProgress, () =>
        host.stream(call, closingStream(handler, notes, note)),
      )
    },
  }
}

// Made apart from the call: what listens to an answer lives as long as it does, and must not hold on to the request.

function closingBody(handler: HostedBodyHandler, notes: OpenCallNotes, note: OpenCall): HostedBodyHandler {
  let answered = false
  return {
    onHead: (status, headers) => {
      answered = true
      handler.onHead(status, headers)
    },
    onData: handler.onData,
    onEnd: handler.onEnd,
    onFailure: (failure) => {
      if (!answered) close(notes, note)
      handler.onFailure(failure)
    },
  }
}

function closingStream(handler: HostedStreamHandler, notes: OpenCallNotes, note: OpenCall): HostedStreamHandler {
  let answered = false
  return {
    onHead: (headers) => {
      answered = true
      handler.onHead(headers)
    },
    onEvent: handler.onEvent,
    onReadEnd: handler.onReadEnd,
    onEnd: handler.onEnd,
    onFailure: (failure) => {
      if (!answered) close(notes, note)
      handler.onFailure(failure)
    },
  }
}

/** The hosted service refused the call. */
function close(notes: OpenCallNotes, { requestId, round }: OpenCall): void {
  notes.close(requestId, round)
}

/** The exchange exists at once, though its call is sent only when the note is written. */
function startNoted(
  notes: OpenCallNotes,
  note: OpenCall,
  readProgress: Charge['readProgress'],
  start: () => HostedExchange,
): HostedExchange {
  /** Let go once it has begun: it holds the request. */
  let pending: typeof start | undefined = start
  let exchange: HostedExchange | undefined
  let isPaused = false
  let isAborted = false
  const begin = (): void => {
    // Nothing was sent, so nothing will be charged.
    if (isAborted) {
      close(notes, note)
      return
    }
    exchange = pending?.()
    pending = undefined
    if (isPaused) exchange?.pause()
  }
  notes.open(note, begin, readProgress)
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
      pending = undefined
      return exchange?.abort() ?? 'unsent'
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
