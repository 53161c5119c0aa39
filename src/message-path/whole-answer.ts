/** A whole answer: gathered, translated, recorded, sent. */
import { afterSent, type DisconnectWatch, sendWhole, watchDisconnect } from './answer/send-answer.ts'
import type { Reserved } from './call.ts'
import { attemptWhole } from './call-provider/attempt.ts'
import { buildHostedCall } from './hosted-call.ts'
import { logBody } from './log-body.ts'
import { shuttingDown, unreadableAnswer } from './path-failures.ts'
import type { PathPorts } from './path-ports.ts'
import { listAnswerHeaders, sendReply } from './reply.ts'
import { type Answer, askBedrock, failRound, noteAnswer, type Round, type RoundResult } from './round.ts'
import { wholeMessage } from './translate/stream-facts.ts'

export function openWholeAnswer({ call, search }: Round, ports: PathPorts): Answer {
  const disconnect = watchDisconnect(call.response, ports.disconnects)
  const tracked = ports.track(() => {
    search?.stop()
    disconnect.abort()
  })
  return {
    serve: (round) => serveRound(round, disconnect, ports),
    close: () => {
      disconnect.done()
      afterSent(call.response, ports.answerLimits.unreadMs, tracked.done)
    },
  }
}

async function serveRound(round: Round, disconnect: DisconnectWatch, ports: PathPorts): Promise<RoundResult> {
  const { call, search } = round
  const { result, tried } = await askBedrock(
    round,
    disconnect.hasLeft,
    (candidate, request) =>
      attemptWhole(ports.host.invoke, buildHostedCall(call, candidate, request, ports), disconnect.began, wholeMessage),
    ports,
  )
  if (result.kind === 'failed') return failRound(round, tried, result, disconnect.hasLeft, ports)
  const { body, headers } = result.answer
  logBody(ports.log, call.requestId, 'response body', body)
  const answer = call.dialect.translateWhole(body, call.model.requestedId, headers)
  if (answer === undefined)
    return failRound(round, tried, { failure: unreadableAnswer, head: headers }, disconnect.hasLeft, ports)
  noteAnswer(round, tried, ports)
  const durationMs = ports.clock.monotonicMs() - call.startedMs
  const searched = await search?.afterWhole(answer)
  const seen = {
    facts: answer.facts,
    complete: true,
    clientLeft: disconnect.hasLeft(),
    firstTokenMs: null,
    durationMs,
    webSearches: searched?.webSearches ?? 0,
  }
  return {
    ended: { stage: 'served', call, tried, seen, failure: null, status: 200 },
    goesOn: searched?.goesOn === true,
    send: () => {
      if (searched?.isStopped === true) sendStopped(call, ports)
      else {
        const { body, bytes, headers } = searched?.answer ?? answer
        sendWhole(call.response, Object.assign(listAnswerHeaders({ stage: 'reserved', call }), headers), body, bytes)
      }
    },
  }
}

function sendStopped(call: Reserved, ports: PathPorts): void {
  sendReply({ stage: 'reserved', call }, call.dialect.failure(shuttingDown, call.requestId), ports.log)
}
