/** What a budget would mean, while it is typed: whom it would reach today and whom it would have stopped. Never in the way of saving. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type ApiError, toApiError } from '../../api/api-error.ts'
import { type Answer, api, type Body } from '../../api/client.ts'
import type { TriedTerms } from '../../modules/budgets/slots.ts'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { formatDay, formatNumber, formatPercent, formatUsd } from '../../ui/format.ts'
import { simulationText } from './simulation-text.ts'

type SimulationBody = Body<'/admin/budgets/simulate', 'post'>
type Simulation = Answer<'/admin/budgets/simulate', 'post'>

/** Typing goes on: a question for every key would be answered too late. */
const PAUSE_MS = 400

export function BudgetPreview({
  scope,
  subjectId,
  read,
}: {
  readonly scope: SimulationBody['scope']
  readonly subjectId?: string | undefined
  /** The terms in the form; undefined while they are none. */
  readonly read: (values: Readonly<Record<string, string>>) => TriedTerms | undefined
}) {
  const terms = read(useWatch() as Record<string, string>)
  const body = useSettled(
    terms === undefined
      ? ''
      : JSON.stringify({ scope, ...(subjectId === undefined ? {} : { subject_id: subjectId }), ...terms }),
  )
  const simulation = useQuery<Simulation, ApiError>({
    queryKey: ['/admin/budgets/simulate', body],
    queryFn: () => api.post('/admin/budgets/simulate', { body: JSON.parse(body) as SimulationBody }),
    enabled: body !== '',
    // What is typed next is asked anew, and the form needs none of it.
    retry: false,
    placeholderData: (previous) => previous,
  })
  if (terms === undefined) return null
  if (simulation.error !== null)
    return (
      <p role="alert" className="text-13 text-text-3">
        What this budget would do cannot be told; it can be saved all the same. {toApiError(simulation.error).message}
      </p>
    )
  if (simulation.data === undefined) return <p className="text-13 text-text-3">Looking at what was spent …</p>
  return <Shown simulation={simulation.data} isOld={simulation.isPlaceholderData} />
}

/** The text after it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** So many names as one reads at a glance. */
const NAMED = 10

function Shown({ simulation, isOld }: { readonly simulation: Simulation; readonly isOld: boolean }) {
  const concerned = simulation.subjects.filter(
    ({ status, stopped_on: stops }) => status !== 'ok' || stops.some((day) => day !== null),
  )
  const isOne = simulation.scope === 'user' || simulation.scope === 'team'
  return (
    <div role="status" aria-busy={isOld || undefined} className="rounded-8 bg-sunken px-3 py-2 text-13 text-text-2">
      <p>{simulationText(simulation)}</p>
      {!isOne && concerned.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-default text-12 font-medium">Who they are</summary>
          <ul className="mt-1 flex flex-col gap-1">
            {concerned.slice(0, NAMED).map((one) => (
              <li key={one.subject_id} className="flex flex-wrap items-baseline gap-x-2">
                {/* No link: following it would lose what is typed. */}
                <span className="font-medium [overflow-wrap:anywhere]">{one.name}</span>
                <span className="tabular">
                  {formatUsd(one.spend_usd)}, {formatPercent(one.percent)}
                </span>
                <BudgetBadge status={one.status} />
                <Stops days={one.stopped_on} />
              </li>
            ))}
          </ul>
          {concerned.length > NAMED && (
            <p className="mt-1 text-12">
              {formatNumber(concerned.length - NAMED)}
              {simulation.total > simulation.subjects.length ? ' or' : ''} more.
            </p>
          )}
        </details>
      )}
    </div>
  )
}

function Stops({ days }: { readonly days: readonly (string | null)[] }) {
  const known = days.filter((day) => day !== null)
  if (known.length === 0) return null
  return (
    <span className="text-12">stopped on {known.map((day) => formatDay(`${day}T00:00:00Z`, 'UTC')).join(', ')}</span>
  )
}
