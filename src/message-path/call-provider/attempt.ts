/** One hosted call: a whole body gathered, or a stream handed on from its first event. */
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { joinChunks } from '../../foundation/platform/join-chunks.ts'
import { abandoned, emptyStream, neverSent } from '../path-failures.ts'
import type { AnswerHead, HostedCall, HostedExchange, ModelHost, TakeEvent } from '../ports.ts'
import type { TryResult } from './call-provider.ts'

export interface WholeAnswer {
  readonly headers: AnswerHead
  readonly body: Buffer
}

export interface BodyReading {
  /** What a body says of a failure under the status of a success. */
  readonly findFailure: (body: Buffer) => ProviderFailure | undefined
  /** Whether a body is a complete answer although its connection was lost before the response ended. */
  readonly isComplete: (body: Buffer) => boolean
}

const unread: BodyReading = { findFailure: () => undefined, isComplete: () => false }

export function attemptWhole(
  operation: ModelHost['invoke'],
  call: HostedCall,
  began: (exchange: HostedExchange) => void,
  { findFailure, isComplete }: BodyReading = unread,
): Promise<TryResult<WholeAnswer>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let head: AnswerHead | undefined
    const end = (): void => {
      const body = joinChunks(chunks)
      const failure = findFailure(body)
      if (failure === undefined) resolve({ kind: 'answered', answer: { headers: head ?? {}, body } })
      else resolve({ kind: 'failed', failure })
    }
    const exchange = operation(call, {
      onHead: (_status, received) => {
        head = received
      },
      // The buffer belongs to the connection; what is kept is copied.
      onData: (chunk) => void chunks.push(Buffer.from(chunk)),
      onEnd: end,
      onFailure: (failure) => {
        if (head === undefined) resolve({ kind: 'failed', failure })
        else if (failure.isConnectionLost === true && isComplete(joinChunks(chunks))) end()
        else resolve({ kind: 'failed', failure, head })
      },
    })
    began(endingOnAbort(exchange, (failure) => resolve({ kind: 'failed', failure })))
  })
}

/** An aborted exchange calls nobody back, so whoever waits for it is told here. */
function endingOnAbort(exchange: HostedExchange, ended: (failure: ProviderFailure) => void): HostedExchange {
  return {
    pause: exchange.pause,
    resume: exchange.resume,
    abort: () => {
      const aborted = exchange.abort()
      ended(aborted === 'unsent' ? neverSent : abandoned)
      return aborted
    },
  }
}

/** Who receives the stream. Failures before the first event come back as a failed try instead. */
export interface StreamReceiver {
  readonly began: (exchange: HostedExchange) => void
  readonly upstreamHead: () => void
  readonly event: TakeEvent
  readonly readEnd: () => void
  readonly ended: () => void
  readonly failed: (failure: ProviderFailure) => void
}

export function attemptStream(
  host: ModelHost,
  call: HostedCall,
  receiver: StreamReceiver,
): Promise<TryResult<'streaming'>> {
  // Not inside a function given to a promise: what listens to the stream would then hold on to the call and its body.
  const { promise, resolve } = Promise.withResolvers<TryResult<'streaming'>>()
  let flowing = false
  let over = false
  let exchange: HostedExchange | undefined
  const fail = (failure: ProviderFailure): void => {
    if (over) return
    over = true
    if (flowing) receiver.failed(failure)
    else resolve({ kind: 'failed', failure })
  }
  exchange = host.stream(call, {
    onHead: () => receiver.upstreamHead(),
    onEvent: (bytes, base64Start, base64End, frameStart, frameEnd) => {
      if (over) return
      const failure = receiver.event(bytes, base64Start, base64End, frameStart, frameEnd)
      if (failure !== undefined) {
        // Events that came whole before it in the same read were real.
        if (flowing) receiver.readEnd()
        fail(failure)
        exchange?.abort()
      } else if (!flowing) {
        flowing = true
        resolve({ kind: 'answered', answer: 'streaming' })
      }
    },
    onReadEnd: () => {
      if (flowing && !over) receiver.readEnd()
    },
    onEnd: () => {
      if (!flowing) fail(emptyStream)
      else if (!over) {
        over = true
        receiver.ended()
      }
    },
    onFailure: fail,
  })
  receiver.began(endingOnAbort(exchange, fail))
  return promise
}
