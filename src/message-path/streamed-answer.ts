/** A stream: relayed as it comes; its last events wait for the record. */
import { type ClientStream, createClientStream } from './answer/client-stream.ts'
import { createRelay, type Relay } from './answer/relay-stream.ts'
import { afterSent } from './answer/send-answer.ts'
import { attemptStream } from './call-provider/attempt.ts'
import type { StreamTranslator } from './dialect.ts'
import { buildHostedCall } from './hosted-call.ts'
import { logStream } from './log-body.ts'
import { shuttingDown } from './path-failures.ts'
import type { PathPorts } from './path-ports.ts'
import { listAnswerHeaders } from './reply.ts'
import { type Answer, askBedrock, type Called, failRound, noteAnswer, type Round, type RoundResult } from './round.ts'

export function openStreamedAnswer({ call, search }: Round, ports: PathPorts): Answer {
  const { dialect, response, requestId } = call
  let relay: Relay | undefined
  const plainClient = createClientStream({
    response,
    headers: { ...dialect.streamHeaders, ...listAnswerHeaders({ stage: 'reserved', call }) },
    pingBytes: dialect.pingBytes,
    pings: ports.pings,
    clock: ports.clock,
    unreadMs: ports.answerLimits.unreadMs,
    onDrain: () => relay?.drained(),
  })
  const client = logStream(ports.log, requestId, response, plainClient)
  const tracked = ports.track(() => {
    search?.stop()
    relay?.stop()
  })
  return {
    serve: (round) => {
      const plain = dialect.translateStream(call.model.requestedId)
      const writer = search === undefined ? plain : search.translateStream(plain)
      relay = createRelay({ response, client, writer, disconnects: ports.disconnects, limits: ports.answerLimits })
      return serveRound(round, { client, writer, relay }, ports)
    },
    close: () => {
      relay?.close()
      // A slow reader still has to take what is written: only then may the process end.
      afterSent(response, ports.answerLimits.unreadMs, tracked.done)
    },
  }
}

interface Line {
  readonly client: ClientStream
  readonly writer: StreamTranslator
  readonly relay: Relay
}

async function serveRound(round: Round, line: Line, ports: PathPorts): Promise<RoundResult> {
  const { call, search } = round
  const { client, writer, relay } = line
  const { result, tried } = await openStream(round, line, ports)
  if (result.kind === 'failed') return failRound(round, tried, result, relay.hasLeft, ports)
  const firstTokenMs = ports.clock.monotonicMs() - call.startedMs
  noteAnswer(round, tried, ports)
  const outcome = await relay.outcome
  if (outcome.kind === 'failed') ports.conditions.recordFailure(tried.candidate.endpoint.id, outcome.failure)
  const durationMs = ports.clock.monotonicMs() - call.startedMs
  const isComplete = outcome.kind === 'complete'
  const searched = isComplete ? await search?.afterStream(client.write) : undefined
  const isStopped = outcome.kind === 'stopped' || searched?.isStopped === true
  const failure = outcome.kind === 'failed' ? outcome.failure : isStopped ? shuttingDown : null
  const seen = {
    facts: writer.facts(),
    complete: isComplete || (outcome.kind === 'left' && outcome.complete),
    // Between two rounds no relay watches the client.
    clientLeft: outcome.kind === 'left' || (searched !== undefined && call.response.destroyed),
    firstTokenMs,
    durationMs,
    webSearches: searched?.webSearches ?? 0,
  }
  return {
    ended: { stage: 'served', call, tried, seen, failure, status: 200 },
    goesOn: searched?.goesOn === true,
    send: () => {
      if (failure !== null) client.end(call.dialect.failureInStream(failure, call.requestId))
      else if (isComplete) client.end(writer.take())
    },
  }
}

/** Apart from what follows, so that the request is not kept while its answer streams. */
function openStream(round: Round, { writer, relay }: Line, ports: PathPorts): Promise<Called<'streaming'>> {
  const { call } = round
  return askBedrock(
    round,
    relay.hasLeft,
    (candidate, request) =>
      attemptStream(ports.host.stream, buildHostedCall(call, candidate, request, ports, writer.facts), relay),
    ports,
  )
}
