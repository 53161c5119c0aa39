/** Ends a request that comes to nothing before Amazon Bedrock is asked: its answer, its log line and its record. */
import { describeFailure, describeProblem } from '../foundation/domain/describe-failure.ts'
import { Problem, problem } from '../foundation/domain/errors.ts'
import { keepAllowed } from '../foundation/domain/failure-reason.ts'
import { giveBack } from './admit/admit.ts'
import type { EndedEarly, Routed } from './call.ts'
import { type KnownEnded, keepRecord } from './keep-record.ts'
import { neverSent } from './path-failures.ts'
import type { PathPorts } from './path-ports.ts'
import { endBroken, sendReply } from './reply.ts'

/** The gateway itself says no, at whatever stage. */
export function refuse(reached: EndedEarly, error: unknown, ports: PathPorts): void {
  const refused = error instanceof Problem ? error : problem('internal', {}, { cause: error })
  const ended = giveRateBack(reached, ports)
  const { call } = ended
  if (refused.code === 'internal') ports.log.error({ id: call.requestId, err: error }, 'request failed')
  const reply = call.dialect.refusal(refused, call.requestId)
  if (call.response.headersSent) endBroken(call, refused, ports.log)
  else sendReply(ended, reply, ports.log)
  ports.meters.refused(refused.code)
  call.trace?.refused(refused.code, reply.status)
  const reason = describeProblem(refused)
  call.explain(keepAllowed(reason, ports.snapshot.current().settings))
  const known = findKnown(ended, refused)
  if (known !== undefined && refused.code === 'rate_limited') ports.onRateLimited(known.call.caller)
  if (known === undefined || !mayRecord(known, refused, known !== ended, ports)) {
    ports.meters.unrecorded(reply.status)
    return
  }
  const ending = { status: reply.status, errorType: reply.errorType, reason }
  Promise.try(keepRecord, known, ending, ports).catch((failed: unknown) =>
    // failure-modes: refusal not recorded. The caller has the answer already, and no money is in it.
    ports.log.error({ id: call.requestId, err: failed }, 'the record of a refused call was lost'),
  )
}

/** The gateway has refused the request itself, so the place that it took in the rate limit is free again. */
function giveRateBack(ended: EndedEarly, { rateWindows }: PathPorts): EndedEarly {
  // Later rounds belong to a request that was served.
  if (ended.call.round > 0) return ended
  switch (ended.stage) {
    case 'arrived':
    case 'authenticated':
    case 'received':
      return ended
    case 'admitted':
      return { ...ended, call: giveBack(ended.call, rateWindows) }
    case 'routed':
      return { ...ended, call: giveBack(ended.call, rateWindows) }
    case 'reserved':
      return { ...ended, call: giveBack(ended.call, rateWindows) }
  }
}

/** A rejected credential may still say whose it is. */
function findKnown(ended: EndedEarly, { rejected }: Problem): KnownEnded | undefined {
  if (ended.stage !== 'arrived') return ended
  return rejected && { stage: 'authenticated', call: { ...ended.call, caller: rejected } }
}

/** Clients repeat some requests by the hundred. */
function mayRecord(
  { call: { caller } }: KnownEnded,
  { code }: Problem,
  isRejected: boolean,
  ports: Pick<PathPorts, 'mayRecordRefusal'>,
): boolean {
  if (isRejected) return ports.mayRecordRefusal(caller.kind === 'key' ? caller.key.id : caller.user.id)
  const isPaced = code === 'rate_limited' || code === 'budget_shaped'
  return !isPaced || caller.kind !== 'key' || ports.mayRecordRefusal(caller.key.id)
}

/** Its client left before anybody was asked. Nobody is there to be told, and no limit has refused it. */
export function recordUnsent(call: Routed, ports: PathPorts): Promise<void> {
  const { status, errorType } = call.dialect.failure(neverSent, call.requestId)
  const ending = { status, errorType, reason: describeFailure(neverSent) }
  return keepRecord({ stage: 'routed', call: giveBack(call, ports.rateWindows) }, ending, ports)
}
