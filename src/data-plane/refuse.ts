import { Problem, problem } from '../domain/errors.ts'
import type { ProviderFailure } from '../domain/provider-failure.ts'
import { giveBack } from './admit/admit.ts'
import type { Admitted } from './context.ts'
import { type Ending, keepRecord } from './keep-record.ts'
import { isPaced, type Passage } from './passage.ts'
import type { PathPorts } from './path-ports.ts'
import { endBroken, sendReply } from './send-reply.ts'

/** The gateway itself says no, at whatever stage. */
export function refuse(passage: Passage, error: unknown, ports: PathPorts): void {
  const refused = error instanceof Problem ? error : problem('internal', {}, { cause: error })
  // Later rounds belong to a request that was served.
  if ('rate' in passage.reached && passage.round === 0) passage.reached = giveBack(passage.reached, ports.rateWindows)
  const { reached } = passage
  if (refused.code === 'internal') ports.log.error({ id: reached.requestId, err: error }, 'request failed')
  const reply = passage.dialect.refusal(refused, reached.requestId)
  if (passage.response.headersSent) endBroken(passage, refused, ports.log)
  else sendReply(passage, reply, ports.log)
  ports.meters.refused(refused.code)
  passage.trace?.refused(refused.code, reply.status)
  if (!('caller' in reached)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const { caller } = reached
  if (refused.code === 'rate_limited') ports.onRateLimited(caller)
  if (isPaced(refused) && caller.kind === 'key' && !ports.mayRecordRefusal(caller.key.id)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const ending: Ending = { status: reply.status, errorType: reply.errorType }
  Promise.try(keepRecord, passage, reached, ending, ports).catch((failed: unknown) =>
    // failure-modes: refusal not recorded. The caller has the answer already, and no money is in it.
    ports.log.error({ id: reached.requestId, err: failed }, 'the record of a refused call was lost'),
  )
}

/** Its client left before anybody was asked. Nobody is there to be told, and no limit has refused it. */
export function recordUnsent(passage: Passage, call: Admitted, left: ProviderFailure, ports: PathPorts): Promise<void> {
  giveBack(call, ports.rateWindows)
  const { status, errorType } = passage.dialect.failure(left, call.requestId)
  return keepRecord(passage, call, { status, errorType }, ports)
}
