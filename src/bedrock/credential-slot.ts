/** Keeps one set of credentials fresh: refreshed early and in the background, never twice at once. */
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import type { Clock } from '../foundation/platform/clock.ts'
import { credentialsRefused, ProviderError } from './failures.ts'
import type { AwsCredentials } from './sigv4.ts'

export interface LoadedCredentials extends AwsCredentials {
  readonly expiration?: Date
}

export type LoadCredentials = () => Promise<LoadedCredentials>

/** Hears of refreshes that failed, at most once a minute: while the old credentials still work nobody else would. */
export type OnRefreshFailed = (failure: ProviderFailure) => void

const refreshBeforeExpiryMs = 300_000
/** Credentials this close to their end may be refused by the time the request arrives. */
const unusableBeforeExpiryMs = 10_000
const holdAfterFailureMs = 1_000
const holdAfterRefreshMs = 10_000
const loadTimeoutMs = 15_000
const tellEveryMs = 60_000

export class CredentialSlot {
  readonly #load: LoadCredentials
  readonly #clock: Clock
  readonly #onRefreshFailed: OnRefreshFailed
  #current: AwsCredentials | undefined
  #expiresAtMs = 0
  #pending: Promise<AwsCredentials> | undefined
  /** Monotonic; before it no background refresh starts, and after a failure no load at all. */
  #holdUntilMs = 0
  #lastError: ProviderError | undefined
  #toldAtMs = Number.NEGATIVE_INFINITY

  constructor(load: LoadCredentials, clock: Clock, onRefreshFailed: OnRefreshFailed) {
    this.#load = load
    this.#clock = clock
    this.#onRefreshFailed = onRefreshFailed
  }

  /** The credentials, when they are good for a call right now. */
  findCurrent(): AwsCredentials | undefined {
    const leftMs = this.#expiresAtMs - this.#clock.nowMs()
    if (this.#current === undefined || leftMs < unusableBeforeExpiryMs) return undefined
    if (leftMs < refreshBeforeExpiryMs && this.#pending === undefined && !this.#isHeld()) {
      // The old ones still work, so the call goes on with them. failure-modes: credential refresh
      this.#refresh().catch(() => undefined)
    }
    return this.#current
  }

  async require(): Promise<AwsCredentials> {
    const current = this.findCurrent()
    if (current !== undefined) return current
    // Without a pause after a refusal, every message would become one more question to the token service.
    if (this.#pending === undefined && this.#lastError !== undefined && this.#isHeld()) throw this.#lastError
    return this.#refresh()
  }

  /** The hosted service no longer takes them. Fresh ones are left alone: a refusal may be about something else. */
  forget(): void {
    if (this.#pending === undefined && !this.#isHeld()) this.#current = undefined
  }

  #isHeld(): boolean {
    return this.#clock.monotonicMs() < this.#holdUntilMs
  }

  #refresh(): Promise<AwsCredentials> {
    this.#pending ??= this.#loadOnce().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  async #loadOnce(): Promise<AwsCredentials> {
    try {
      const { expiration, ...loaded } = await withinTime(this.#load())
      this.#current = loaded
      this.#expiresAtMs = expiration?.getTime() ?? Number.POSITIVE_INFINITY
      this.#lastError = undefined
      this.#holdUntilMs = this.#clock.monotonicMs() + holdAfterRefreshMs
      return loaded
    } catch (error) {
      const failed = toProviderError(error)
      this.#lastError = failed
      this.#holdUntilMs = this.#clock.monotonicMs() + holdAfterFailureMs
      this.#tell(failed.failure)
      throw failed
    }
  }

  /** Of refreshes only: credentials that were never had are told of by the check of their endpoint. */
  #tell(failure: ProviderFailure): void {
    const nowMs = this.#clock.monotonicMs()
    if (this.#expiresAtMs === 0 || nowMs - this.#toldAtMs < tellEveryMs) return
    this.#toldAtMs = nowMs
    this.#onRefreshFailed(failure)
  }
}

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const known = error instanceof Error ? error : new Error(String(error))
  return new ProviderError(credentialsRefused(known.name, harmlessMessage(known)))
}

/** The message is logged. These two kinds may quote a secret: from an unreadable answer, or from a command line. */
function harmlessMessage({ name, message }: Error): string {
  if (name === 'SyntaxError' || message.includes('SyntaxError')) return 'the answer with the credentials is not JSON'
  return message.startsWith('Command failed') ? 'the process that gives the credentials failed' : message
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no credentials within the time limit')), loadTimeoutMs)
    timer.unref()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
