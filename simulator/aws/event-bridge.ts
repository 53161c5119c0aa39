import { randomUUID } from 'node:crypto'
import { sendJson } from '../exchange.ts'
import { isRecord, parseJson } from '../json-value.ts'
import { validationError } from './aws-error.ts'
import type { Call } from './call.ts'

const ENTRY_LIMIT = 10

/** Success of the call says nothing about its entries: a script can refuse some of them inside a 200. */
export function putEvents(call: Call): void {
  const body = parseJson(call.exchange.body)
  const entries = isRecord(body) && Array.isArray(body['Entries']) ? body['Entries'] : []
  if (entries.length === 0 || entries.length > ENTRY_LIMIT) {
    throw validationError(
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length less than or equal to ${ENTRY_LIMIT} and greater than or equal to 1`,
    )
  }
  const scriptedFailures = call.behaviour.failedEntries ?? 0
  const results = entries.map((entry, index) => {
    const message: Record<string, unknown> = isRecord(entry) ? entry : {}
    const fault =
      index < scriptedFailures
        ? { ErrorCode: 'InternalFailure', ErrorMessage: 'Event could not be delivered.' }
        : findFault(message)
    call.state.recorder.publish({
      service: 'events',
      account: call.caller.account,
      region: call.caller.region,
      accepted: fault === undefined,
      message,
    })
    return fault ?? { EventId: randomUUID() }
  })
  call.entry.status = 200
  call.entry.completed = true
  sendJson(
    call.exchange.response,
    200,
    { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results },
    { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': call.entry.requestId },
  )
}

function findFault(
  entry: Readonly<Record<string, unknown>>,
): { readonly ErrorCode: string; readonly ErrorMessage: string } | undefined {
  for (const field of ['Source', 'DetailType', 'Detail']) {
    if (typeof entry[field] !== 'string')
      return {
        ErrorCode: 'InvalidArgument',
        ErrorMessage: `Parameter ${field} is not valid. Reason: ${field} is a required argument.`,
      }
  }
  return isRecord(parseJson(Buffer.from(String(entry['Detail']), 'utf8')))
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }
}
