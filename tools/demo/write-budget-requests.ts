/** Writes who has asked for more money, and what is on top of budgets. */

import { type Change, change } from '../../src/foundation/database/change.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import { periodAt } from '../../src/foundation/domain/budget.ts'
import { nanoFromUsd } from '../../src/foundation/domain/money.ts'
import { createBudgetRequestStore } from '../../src/modules/budgets/budget-requests.store.ts'
import { createTopUpStore } from '../../src/modules/budgets/budget-top-ups.store.ts'
import { type BudgetSubject, createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { type SampleRequest, sampleRequests, sampleTeamTopUp } from './sample/sample-requests.ts'
import type { WorldIds } from './sample/world.ts'
import { demoActor } from './write-organization.ts'

/** Once: whoever looks at the demo may have decided them since. */
export async function writeBudgetRequests(database: Database, ids: WorldIds, nowMs: number): Promise<void> {
  await change(database, { sections: ['budgets'], actor: demoActor }, async (work) => {
    const { data } = await createBudgetRequestStore(work.tx).list({ limit: 1 })
    if (data.length > 0) return
    for (const sample of sampleRequests) {
      const userId = ids.people.get(sample.person)
      if (userId !== undefined) await writeRequest(work, userId, sample, nowMs)
    }
    const teamId = ids.teams.get(sampleTeamTopUp.team)
    if (teamId !== undefined) await topUp(work, { scope: 'team', subjectId: teamId }, sampleTeamTopUp, nowMs)
  })
}

async function writeRequest(work: Change, userId: string, sample: SampleRequest, nowMs: number): Promise<void> {
  const store = createBudgetRequestStore(work.tx)
  const amountNanoUsd = nanoFromUsd(sample.amountUsd)
  const { id } = await store.insert({ userId, teamId: null, amountNanoUsd, reason: sample.reason })
  work.audit({
    action: 'budget_request.create',
    target: `budget_request:${id}`,
    after: { amount_usd: sample.amountUsd },
  })
  if (sample.status === 'open') return
  if (sample.as === 'top_up') await topUp(work, { scope: 'user', subjectId: userId }, sample, nowMs)
  await store.decide(id, {
    status: sample.status,
    decidedBy: sample.status === 'withdrawn' ? sample.person : demoActor.name,
    note: sample.note ?? null,
    granted: sample.as === undefined ? null : { amountNanoUsd, as: sample.as },
  })
}

async function topUp(
  { tx, audit }: Change,
  subject: BudgetSubject,
  { amountUsd, reason }: { readonly amountUsd: number; readonly reason: string },
  nowMs: number,
): Promise<void> {
  const budget = await createBudgetStore(tx).find(subject)
  if (budget === undefined) return
  const { endMs } = periodAt(budget.period, nowMs)
  const amountNanoUsd = nanoFromUsd(amountUsd)
  await createTopUpStore(tx).insert({ ...subject, amountNanoUsd, endsAtMs: endMs, reason, createdBy: demoActor.name })
  audit({
    action: 'budget.top-up',
    target: `${subject.scope}:${subject.subjectId}`,
    after: { amount_usd: amountUsd, reason },
  })
}
