/** How much the device flow reads of a body, and what it answers to more. */
import { problem } from '../../../foundation/domain/errors.ts'
import { defined } from '../../../foundation/platform/defined.ts'

export function bodyLimit(maxBytes: number) {
  return {
    maxBytes,
    tooLarge: () => problem('body_too_large', { limit: `${Math.floor(maxBytes / 1024)} KiB` }),
    endedEarly: (cause?: Error) => problem('request_timeout', {}, defined({ cause })),
  }
}
