/** A person's own state at a glance: what is left, what was used, and what to do first. */
import { useState } from 'react'
import { useGet } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import { Columns, Page } from '../../ui/layout.tsx'
import { Loading, QueryView } from '../../ui/states.tsx'
import { DISMISSED, useFirstSteps } from '../welcome/first-steps.ts'
import { BudgetCards } from './budget-cards.tsx'
import { ConnectCard } from './connect-card.tsx'
import { EndingKeys } from './ending-keys.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { RequestsCard } from './requests-card.tsx'
import { UsageCards, useUsage } from './usage-cards.tsx'

export function HomePage() {
  const me = useMe()
  const budget = useGet('/me/budget', undefined, { refetchInterval: 60_000 })
  // All that a person may have: one question for those that were used last and for those that end.
  const keys = useGet('/me/keys', { params: { query: { limit: 100, sort: '-last_used_at', status: 'active' } } })
  const requests = useGet('/me/requests', { params: { query: { limit: 8 } } }, { refetchInterval: 15_000 })
  const asked = useGet('/me/budget/requests', { params: { query: { limit: 1 } } }, { refetchInterval: 60_000 })
  const usage = useUsage()
  const isNew = requests.data?.data.length === 0
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(DISMISSED) === 'yes')
  const hasSteps = me.role === 'admin' && !isDismissed
  const firstSteps = useFirstSteps(hasSteps)
  const dismiss = (): void => {
    localStorage.setItem(DISMISSED, 'yes')
    setIsDismissed(true)
  }
  // Together: what comes later would push away what somebody has begun to read.
  const isWaiting = [budget, asked, keys, requests, usage].some((query) => query.isPending) || firstSteps.isLoading
  return (
    <Page
      title={`Hello, ${me.user?.subject ?? 'you'}`}
      lead={`${me.team === null ? 'You are in no team' : `You are in the team ${me.team.name}`}. Here is what you may spend, what you have used, and the keys that act for you.`}
    >
      {isWaiting ? (
        <Loading rows={12} />
      ) : (
        <>
          {hasSteps && <FirstStepsCard steps={firstSteps.steps} onDismiss={dismiss} />}
          <EndingKeys keys={keys.data?.data ?? []} />
          {isNew && <ConnectCard />}
          <QueryView query={budget} rows={3}>
            {(data) => <BudgetCards budgets={data.budgets} requests={asked.data?.data ?? []} />}
          </QueryView>
          <UsageCards query={usage} />
          {!isNew && <RequestsCard query={requests} />}
          <Columns>
            <KeysCard query={keys} />
            {!isNew && <ConnectCard />}
          </Columns>
        </>
      )}
    </Page>
  )
}
