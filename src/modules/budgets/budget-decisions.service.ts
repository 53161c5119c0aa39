/** The decision about a request for more, and the event that tells it to whoever asked. */

import type { Change } from '../../foundation/database/change.ts'
import { budgetDecidedDedupe, budgetDecidedEvent, eventSubject } from '../../foundation/domain/notification-notice.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { enqueueEvent } from '../notifications/outbox.store.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { budgetRequestBody } from './budget-request.fields.ts'
import type { BudgetDecisionMade, BudgetRequestRecord } from './budget-requests.store.ts'
import { decideRequest } from './decide-request.service.ts'

/** In one transaction: whoever asked is not told of a decision that was not kept, nor left without one that was. */
export async function decideAndTell(
  change: Change,
  ports: BudgetPorts,
  before: BudgetRequestRecord,
  decision: BudgetDecisionMade & { readonly status: 'approved' | 'declined' },
): Promise<BudgetRequestRecord> {
  const after = await decideRequest(change, before, decision)
  const { users, teams } = ports.snapshot()
  const user = users.get(after.userId) ?? null
  const { scope, amount_usd, granted_usd, granted_as, reason, note, decided_by } = budgetRequestBody(after)
  const event = budgetDecidedEvent(
    {
      scope,
      decision: decision.status,
      requested_usd: amount_usd,
      granted_usd,
      granted_as,
      reason,
      note,
      decided_by,
      link: `${ports.findKnownUrl() ?? ''}/portal#/`,
    },
    eventSubject(user, user?.teamId ?? null, teams),
    { id: newId(), timestamp: isoTime(ports.clock.nowMs()) },
  )
  await enqueueEvent(change.tx, event, budgetDecidedDedupe(after.id))
  return after
}
