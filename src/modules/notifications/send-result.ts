/** What became of one attempt to deliver an event. */

export type SendResult =
  | { readonly kind: 'delivered'; readonly responseStatus: number }
  | {
      readonly kind: 'failed'
      readonly responseStatus: number | null
      /** For administrators; holds at most a short piece of what the receiver said. */
      readonly error: string
      /** The receiver is away or overloaded: nothing about this event, and worth trying all others later. */
      readonly isOutage: boolean
    }

export const SEND_TIMEOUT_MS = 10_000

const MAX_ERROR_CHARACTERS = 200

export function failed(error: string, responseStatus: number | null): SendResult {
  const line = error.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return {
    kind: 'failed',
    responseStatus,
    error: [...line.toWellFormed()].slice(0, MAX_ERROR_CHARACTERS).join(''),
    isOutage: responseStatus === null || isPassing(responseStatus),
  }
}

function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}
