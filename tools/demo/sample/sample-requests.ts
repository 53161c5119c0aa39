/** Who in the invented company has asked for more money, and what was given. */
import type { BudgetRequestStatus, GrantForm } from '../../../src/foundation/domain/budget-request.ts'

export interface SampleRequest {
  readonly person: string
  readonly amountUsd: number
  readonly reason: string
  readonly status: BudgetRequestStatus
  readonly note?: string
  readonly as?: GrantForm
}

/** One of each outcome. Whoever waits has little left, so that the request makes sense beside the budget. */
export const sampleRequests: readonly SampleRequest[] = [
  { person: 'viktor@example.com', amountUsd: 20, reason: 'trying the new model', status: 'withdrawn' },
  {
    person: 'maya@example.com',
    amountUsd: 40,
    reason: 'evaluation runs for the quarterly review',
    status: 'declined',
    note: 'Please use the batch account for these.',
  },
  {
    person: 'lena@example.com',
    amountUsd: 25,
    reason: 'on call this week',
    status: 'approved',
    note: 'Good luck!',
    as: 'top_up',
  },
  { person: 'nadia@example.com', amountUsd: 30, reason: 'release of the new checkout on Thursday', status: 'open' },
  { person: 'kenji@example.com', amountUsd: 15, reason: 'moving the last screens to Compose', status: 'open' },
]

export const sampleTeamTopUp = { team: 'Data Science', amountUsd: 150, reason: 'training week' } as const
