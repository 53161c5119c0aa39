/** Carries one hosted stream to one client: events as they come, back-pressure both ways, and one verdict at the end. */
import type { ServerResponse } from 'node:http'
import type { AnswerHandler, Exchange, TakeEvent } from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { incompleteStream } from '../path-failures.ts'
import type { AnswerLimits } from './answer-limits.ts'
import type { ClientDisconnects } from './client-disconnects.ts'
import type { ClientStream } from './client-stream.ts'

/** Turns hosted events into the client's form and gathers them until they are taken. */
export interface EventWriter {
  /** A failure when the event itself says that the hosted service failed; nothing is gathered then. */
  readonly add: TakeEvent
  readonly take: () => Buffer
  /** The event that ends a message has been gathered. */
  readonly isComplete: () => boolean
}

export type RelayOutcome =
  /** Everything has arrived; the last events are still held back, for `writer.take()`. */
  | { readonly kind: 'complete' }
  | { readonly kind: 'failed'; readonly failure: ProviderFailure }
  /** The client left. `complete` tells whether the answer was read to its end all the same. */
  | { readonly kind: 'left'; readonly complete: boolean }
  /** The gateway is going down and its time is up. */
  | { readonly kind: 'stopped' }

export interface Relay extends AnswerHandler {
  /** The hosted call has begun; a relay may see several, one after the other, until the first event. */
  readonly began: (exchange: Exchange) => void
  readonly onData: TakeEvent
  readonly hasLeft: () => boolean
  /** The client reads again. */
  readonly drained: () => void
  readonly stop: () => void
  /** No endpoint answered: nothing is watched any more. */
  readonly close: () => void
  readonly outcome: Promise<RelayOutcome>
}

export interface RelayParts {
  readonly response: ServerResponse
  readonly client: ClientStream
  readonly writer: EventWriter
  readonly disconnects: ClientDisconnects
  readonly limits: AnswerLimits
}

/** The hosted service ends its response right after the last event; one that does not is not waited for. */
const END_AFTER_COMPLETE_MS = 1_000

export function createRelay({ response, client, writer, disconnects, limits }: RelayParts): Relay {
  let exchange: Exchange | undefined
  let headTimer: NodeJS.Timeout | undefined
  let endTimer: NodeJS.Timeout | undefined
  let draining: { readonly done: () => void } | undefined
  let paused = false
  let left = false
  let settled = false
  let resolveOutcome: (outcome: RelayOutcome) => void = () => {}
  const outcome = new Promise<RelayOutcome>((resolve) => {
    resolveOutcome = resolve
  })

  const settle = (result: RelayOutcome): void => {
    if (settled) return
    settled = true
    clearTimeout(headTimer)
    clearTimeout(endTimer)
    draining?.done()
    response.off('close', onClose)
    resolveOutcome(left ? { kind: 'left', complete: result.kind === 'complete' } : result)
  }

  const giveUp = (): void => {
    exchange?.abort()
    settle({ kind: 'left', complete: false })
  }

  const hangUp = (): void => {
    settle({ kind: 'complete' })
    exchange?.abort()
  }

  const onClose = (): void => {
    if (response.writableFinished || settled) return
    left = true
    draining = disconnects.begin(giveUp)
    exchange?.resume()
  }
  response.on('close', onClose)
  // It may have left while its model was looked up, before anybody listened.
  if (response.destroyed) onClose()

  return {
    began: (started) => {
      exchange = started
      if (left && settled) started.abort()
    },
    onHead: () => {
      if (!client.hasHead()) headTimer ??= setTimeout(() => client.open(), limits.headAfterMs)
    },
    onData: writer.add,
    onReadEnd: () => {
      if (settled) return
      if (writer.isComplete()) {
        // The last events wait for the record of this call: a client that saw the end was also charged for it.
        endTimer ??= setTimeout(hangUp, END_AFTER_COMPLETE_MS)
        return
      }
      const bytes = writer.take()
      if (left || bytes.length === 0) return
      clearTimeout(headTimer)
      if (client.write(bytes)) return
      paused = true
      exchange?.pause()
    },
    onEnd: () => settle(writer.isComplete() ? { kind: 'complete' } : { kind: 'failed', failure: incompleteStream }),
    onFailure: (failure) => {
      // A client that reads an error after a complete message sends the request again and pays for it again.
      const isComplete = failure.isConnectionLost === true && writer.isComplete()
      settle(isComplete ? { kind: 'complete' } : { kind: 'failed', failure })
    },
    hasLeft: () => left,
    drained: () => {
      if (!paused) return
      paused = false
      exchange?.resume()
    },
    stop: () => {
      // In this order: the end of the exchange would settle it as a failure.
      settle({ kind: 'stopped' })
      exchange?.abort()
    },
    close: () => settle({ kind: 'stopped' }),
    outcome,
  }
}
