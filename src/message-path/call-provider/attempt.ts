/** One hosted call: a whole body gathered, or a stream handed on from its first event. */
import {
  type AnswerHandler,
  type AnswerHead,
  type AskHost,
  type Exchange,
  type HostedCall,
  onAbort,
  type TakeEvent,
} from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { joinChunks } from '../../foundation/platform/join-chunks.ts'
import { abandoned, emptyStream, neverSent } from '../path-failures.ts'
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
  ask: AskHost,
  call: HostedCall,
  began: (exchange: Exchange) => void,
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
    const exchange = ask(call, {
      onHead: (_status, received) => {
        head = received
      },
      // The buffer belongs to the connection; what is kept is copied.
      onData: (bytes, start, end) => void chunks.push(Buffer.from(bytes.subarray(start, end))),
      onReadEnd: () => {},
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
function endingOnAbort(exchange: Exchange, ended: (failure: ProviderFailure) => void): Exchange {
  return onAbort(exchange, () => {
    const aborted = exchange.abort()
    ended(aborted === 'unsent' ? neverSent : abandoned)
    return aborted
  })
}

/** Who receives the stream. Failures before the first event come back as a failed try instead. */
export interface StreamReceiver extends AnswerHandler {
  readonly began: (exchange: Exchange) => void
  readonly onData: TakeEvent
}

export function attemptStream(
  ask: AskHost,
  call: HostedCall,
  receiver: StreamReceiver,
): Promise<TryResult<'streaming'>> {
  // Not inside a function given to a promise: what listens to the stream would then hold on to the call and its body.
  const { promise, resolve } = Promise.withResolvers<TryResult<'streaming'>>()
  let flowing = false
  let over = false
  let exchange: Exchange | undefined
  const fail = (failure: ProviderFailure): void => {
    if (over) return
    over = true
    if (flowing) receiver.onFailure(failure)
    else resolve({ kind: 'failed', failure })
  }
  exchange = ask(call, {
    onHead: receiver.onHead,
    onData: (bytes, start, end, frameStart, frameEnd) => {
      if (over) return
      const failure = receiver.onData(bytes, start, end, frameStart, frameEnd)
      if (failure !== undefined) {
        // Events that came whole before it in the same read were real.
        if (flowing) receiver.onReadEnd()
        fail(failure)
        exchange?.abort()
      } else if (!flowing) {
        flowing = true
        resolve({ kind: 'answered', answer: 'streaming' })
      }
    },
    onReadEnd: () => {
      if (flowing && !over) receiver.onReadEnd()
    },
    onEnd: () => {
      if (!flowing) fail(emptyStream)
      else if (!over) {
        over = true
        receiver.onEnd()
      }
    },
    onFailure: fail,
  })
  receiver.began(endingOnAbort(exchange, fail))
  return promise
}
