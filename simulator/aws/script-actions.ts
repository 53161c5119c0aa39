import { closeConnection, isGone, resetConnection, waitWhileOpen } from '../connection.ts'
import { sendText } from '../exchange.ts'
import { parseJson } from '../json-value.ts'
import { findPresentPath, findRejectedBeta } from '../scripts.ts'
import { AwsError, validationError } from './aws-error.ts'
import type { Call } from './call.ts'

const HTML_BODY =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n'

/** The parts of a script that come before an answer, or stand in place of one. */
export async function actBeforeAnswer(call: Call): Promise<'answered' | 'go-on'> {
  const { behaviour, entry } = call
  const { response } = call.exchange
  if (behaviour.delayMs !== undefined) await waitWhileOpen(response, behaviour.delayMs)
  if (isGone(response)) {
    entry.aborted = true
    return 'answered'
  }
  if (behaviour.hangMs !== undefined) {
    await waitWhileOpen(response, behaviour.hangMs)
    entry.aborted = isGone(response)
    closeConnection(response)
    return 'answered'
  }
  if (behaviour.reset) {
    resetConnection(response)
    return 'answered'
  }
  if (behaviour.html) {
    entry.status = behaviour.html.status ?? 502
    sendText(response, entry.status, behaviour.html.body ?? HTML_BODY, { 'content-type': 'text/html' })
    return 'answered'
  }
  throwScriptedError(call)
  return 'go-on'
}

function throwScriptedError({ behaviour, exchange }: Call): void {
  if (behaviour.error) throw new AwsError(behaviour.error)
  if (behaviour.throttle) {
    const options = behaviour.throttle === true ? {} : behaviour.throttle
    const message = options.message ?? 'Too many tokens, please wait before trying again.'
    const headers = options.retryAfterSeconds === undefined ? {} : { 'retry-after': String(options.retryAfterSeconds) }
    throw new AwsError({ status: 429, type: 'ThrottlingException', message, headers })
  }
  if (behaviour.rejectBetas) {
    const beta = findRejectedBeta(behaviour.rejectBetas.betas, parseJson(exchange.body))
    if (beta !== undefined) {
      throw validationError(
        behaviour.rejectBetas.named
          ? `Unexpected value(s) \`${beta}\` for the \`anthropic-beta\` header.`
          : 'invalid beta flag',
      )
    }
  }
  if (behaviour.rejectFields) {
    const path = findPresentPath(behaviour.rejectFields.paths, parseJson(exchange.body))
    if (path !== undefined)
      throw validationError(behaviour.rejectFields.message ?? `${path}: Extra inputs are not permitted`)
  }
}
