/** Ends a request that comes to nothing before Amazon Bedrock is asked: its answer, its log line and its record. */
import { describeFailure, describeProblem } from '../foundation/domain/describe-failure.ts'
import { Problem, problem } from '../foundation/domain/errors.ts'
import { keepAllowed } from '../foundation/domain/failure-reason.ts'
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { giveBack } from './admit/admit.ts'
import type { Admitted, Authenticated } from './context.ts'
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
  const reason = describeProblem(refused)
  passage.explain(keepAllowed(reason, ports.snapshot.current().settings))
  const known = findKnown(reached, refused)
  if (known !== undefined && refused.code === 'rate_limited') ports.onRateLimited(known.caller)
  if (known === undefined || !mayRecord(known, refused, known !== reached, ports)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const ending: Ending = { status: reply.status, errorType: reply.errorType, reason }
  Promise.try(keepRecord, passage, known, ending, ports).catch((failed: unknown) =>
    // failure-modes: refusal not recorded. The caller has the answer already, and no money is in it.
    ports.log.error({ id: reached.requestId, err: failed }, 'the record of a refused call was lost'),
  )
}

/** A rejected credential may still say whose it is. */
function findKnown(reached: Passage['reached'], { rejected }: Problem): Authenticated | undefined {
  if ('caller' in reached) return reached
  return rejected && { ...reached, caller: rejected }
}

/** Clients repeat some requests by the hundred. */
function mayRecord(
  { caller }: Authenticated,
  refused: Problem,
  isRejected: boolean,
  ports: Pick<PathPorts, 'mayRecordRefusal'>,
): boolean {
  if (isRejected) return ports.mayRecordRefusal(caller.kind === 'key' ? caller.key.id : caller.user.id)
  return !isPaced(refused) || caller.kind !== 'key' || ports.mayRecordRefusal(caller.key.id)
}

/** Its client left before anybody was asked. Nobody is there to be told, and no limit has refused it. */
export function recordUnsent(passage: Passage, call: Admitted, left: ProviderFailure, ports: PathPorts): Promise<void> {
  giveBack(call, ports.rateWindows)
  const { status, errorType } = passage.dialect.failure(left, call.requestId)
  return keepRecord(passage, call, { status, errorType, reason: describeFailure(left) }, ports)
}
