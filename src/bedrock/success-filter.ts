/** Lets 2xx answers through and turns every other answer into the failure it is. */
import type { AnswerHandler, AnswerHead, Exchange } from '../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { failureOfAnswer } from './failures.ts'

const maxErrorBodyBytes = 1_048_576

/** Error bodies are short and come at once; waiting as long as for a model would delay failover. */
const errorBodySilenceMs = 5_000
const errorBodyMs = 10_000

export class SuccessFilter implements AnswerHandler {
  readonly #success: AnswerHandler
  #failed: FailedAnswer | undefined
  /** Set before the first callback: the client calls nothing while it sends. */
  call: Exchange | undefined

  /** `success` hears only of 2xx answers, or of one failure. */
  constructor(success: AnswerHandler) {
    this.#success = success
  }

  onHead(status: number, headers: AnswerHead): void {
    if (status >= 200 && status < 300) {
      this.#success.onHead(status, headers)
      return
    }
    this.#failed = new FailedAnswer(status, headers)
    this.call?.limitRest(errorBodySilenceMs, errorBodyMs)
  }

  onData(bytes: Buffer, start: number, end: number, frameStart: number, frameEnd: number): void {
    if (this.#failed === undefined) this.#success.onData(bytes, start, end, frameStart, frameEnd)
    else if (!this.#failed.add(bytes, start, end)) {
      this.call?.abort()
      this.#success.onFailure(this.#failed.failure())
    }
  }

  onReadEnd(): void {
    if (this.#failed === undefined) this.#success.onReadEnd()
  }

  onEnd(): void {
    if (this.#failed === undefined) this.#success.onEnd()
    else this.#success.onFailure(this.#failed.failure())
  }

  /** A cut error body does not hide the status: it has been said. */
  onFailure(failure: ProviderFailure): void {
    this.#success.onFailure(this.#failed?.failure() ?? failure)
  }
}

class FailedAnswer {
  readonly #status: number
  readonly #headers: AnswerHead
  readonly #pieces: Buffer[] = []
  #bytes = 0

  constructor(status: number, headers: AnswerHead) {
    this.#status = status
    this.#headers = headers
  }

  /** False when nothing more is wanted. */
  add(bytes: Buffer, start: number, end: number): boolean {
    const spanEnd = Math.min(end, start + maxErrorBodyBytes - this.#bytes)
    this.#pieces.push(Buffer.from(bytes.subarray(start, spanEnd)))
    this.#bytes += spanEnd - start
    return this.#bytes < maxErrorBodyBytes
  }

  failure(): ProviderFailure {
    return failureOfAnswer(this.#status, this.#headers, Buffer.concat(this.#pieces))
  }
}
