/** Keeps one set of credentials fresh: refreshed early and in the background, never twice at once. */
import type { ProviderFailure } from '../domain/provider-failure.ts'
import type { Clock } from '../platform/clock.ts'
import { credentialsRefused, ProviderError } from './failures.ts'
import type { AwsCredentials } from './sigv4.ts'

export interface LoadedCredentials extends AwsCredentials {
  readonly expiration?: Date
}

export type LoadCredentials = () => Promise<LoadedCredentials>

/** Hears of refreshes that failed while the old credentials still work: nobody else would. */
export type OnRefreshFailed = (failure: ProviderFailure) => void

const refreshBeforeExpiryMs = 300_000
/** Credentials this close to their end may be refused by the time the request arrives. */
const unusableBeforeExpiryMs = 10_000
const holdAfterFailureMs = 1_000
const holdAfterRefreshMs = 10_000
const loadTimeoutMs = 15_000

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
      this.#refresh().catch((error: ProviderError) => this.#onRefreshFailed(error.failure))
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
      this.#lastError = toProviderError(error)
      this.#holdUntilMs = this.#clock.monotonicMs() + holdAfterFailureMs
      throw this.#lastError
    }
  }
}

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const known = error instanceof Error ? error : new Error(String(error))
  return new ProviderError(credentialsRefused(known.name, known.message))
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
