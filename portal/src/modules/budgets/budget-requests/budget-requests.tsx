/** Who asks for more money, how their budget stands, and the decision. */
import { Check, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useGet } from '../../../api/queries.ts'
import { type Me, useMe } from '../../../api/session.ts'
import { Sparkline } from '../../../charts/sparkline.tsx'
import { BudgetBadge } from '../../../ui/budget-badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/controls.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { formatPercent, formatUsd } from '../../../ui/format.ts'
import { Card, Page } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Badge, type Tone } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-column.ts'
import { useUrlState } from '../../../ui/url-state.ts'
import { Money, Name, Time } from '../../../ui/values.tsx'
import type { BudgetRequest } from './budget-request.ts'
import { ApproveForm, DeclineForm } from './decision-forms.tsx'

type Open = { readonly kind: 'approve' | 'decline'; readonly request: BudgetRequest }

const filters = [
  { value: '', label: 'Open' },
  { value: 'approved', label: 'Approved' },
  { value: 'declined', label: 'Declined' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: 'all', label: 'All' },
] as const

type Status = BudgetRequest['status']

const toStatusQuery = (wanted: string | undefined): { readonly status?: Status } => {
  if (wanted === 'all') return {}
  return { status: filters.some(({ value }) => value !== '' && value === wanted) ? (wanted as Status) : 'open' }
}

export function BudgetRequestsPage() {
  const [state, setState] = useUrlState()
  const [open, setOpen] = useState<Open>()
  const params = useListParams()
  const status = toStatusQuery(state['status'])
  const list = useGet(
    '/admin/budget-requests',
    { params: { query: { ...params, ...status } } },
    { keepPrevious: true, refetchInterval: 60_000 },
  )
  const me = useMe()
  const columns = useMemo(() => buildColumns(me, setOpen), [me])
  const close = (): void => setOpen(undefined)
  return (
    <Page
      title="Budget requests"
      lead="People ask here for more than their budget has. What you approve counts at once; what nobody decides stays open."
    >
      <Card isFlush>
        <DataTable
          caption="Budget requests"
          columns={columns}
          query={list}
          rowId={({ id }) => id}
          searchLabel="Search by name or reason"
          filters={
            <Select
              label="Show"
              value={state['status'] ?? ''}
              choices={filters}
              onChange={(next) => setState({ status: next || undefined, cursor: undefined })}
            />
          }
          empty={
            status.status === 'open'
              ? {
                  title: 'Nobody waits for a decision',
                  text: 'Whoever is close to the end of a budget can ask for more on their Home page.',
                }
              : { title: 'No such requests', text: 'Nothing has been decided this way yet.' }
          }
        />
      </Card>
      {open?.kind === 'approve' && <ApproveForm request={open.request} onClose={close} />}
      {open?.kind === 'decline' && <DeclineForm request={open.request} onClose={close} />}
    </Page>
  )
}

/** A lead decides what others of the team ask for themselves; the rest is for administrators. */
function mayDecide(me: Me, { scope, user_id: id }: BudgetRequest): boolean {
  return me.role === 'admin' || (scope === 'user' && id !== me.user?.id)
}

function buildColumns(me: Me, open: (next: Open) => void): readonly Column<BudgetRequest>[] {
  return [
    {
      id: 'person',
      header: 'Who',
      cell: ({ user_id: id, user_name: name, team_name: team }) => (
        <span className="flex flex-col">
          <PageLink to={`/users/${id}`}>
            <Name text={name} />
          </PageLink>
          {team !== null && (
            <span className="text-12 font-normal text-text-3">
              <Name text={team} />
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      header: 'Asks for',
      sort: 'amount_usd',
      cell: ({ amount_usd: amount, scope, reason }) => (
        <span className="flex max-w-72 flex-col">
          <span>
            <Money usd={amount} /> {scope === 'team' && 'for the team'}
          </span>
          {reason !== null && (
            <span className="text-12 whitespace-normal text-text-3 [overflow-wrap:anywhere]">{reason}</span>
          )}
        </span>
      ),
    },
    { id: 'standing', header: 'Budget now', cell: ({ budget }) => <Standing budget={budget} /> },
    {
      id: 'days',
      header: 'Last 30 days',
      isMinor: true,
      cell: (request) => (
        <Sparkline label={`Spend of ${request.user_name}`} values={last30(request)} formatValue={formatUsd} />
      ),
    },
    { id: 'asked', header: 'Asked', sort: 'created_at', isMinor: true, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'decision',
      header: 'Decision',
      cell: (request) =>
        request.status !== 'open' ? (
          <Decided request={request} />
        ) : mayDecide(me, request) ? (
          <Choices request={request} open={open} />
        ) : (
          <span className="text-text-3">An administrator decides</span>
        ),
    },
  ]
}

function Standing({ budget }: Pick<BudgetRequest, 'budget'>) {
  if (budget === null) return <span className="text-text-3">No budget any more</span>
  return (
    <span className="flex max-w-52 flex-col items-start gap-1 whitespace-normal">
      <BudgetBadge status={budget.status} />
      <span className="text-12 text-text-3">
        {formatUsd(budget.spend_usd)} of {formatUsd(budget.limit_usd + budget.top_up_usd)},{' '}
        {formatPercent(budget.percent)}; resets <Time at={budget.resets_at} isAhead />
      </span>
    </span>
  )
}

function Choices({ request, open }: { readonly request: BudgetRequest; readonly open: (next: Open) => void }) {
  return (
    <span className="flex flex-wrap gap-2 lg:flex-nowrap">
      <Button
        icon={Check}
        tone="primary"
        aria-label={`Approve what ${request.user_name} asks for`}
        onClick={() => open({ kind: 'approve', request })}
      >
        Approve
      </Button>
      <Button
        icon={X}
        aria-label={`Decline what ${request.user_name} asks for`}
        onClick={() => open({ kind: 'decline', request })}
      >
        Decline
      </Button>
    </span>
  )
}

const outcomes: Readonly<Record<Exclude<Status, 'open'>, readonly [Tone, string]>> = {
  approved: ['ok', 'Approved'],
  declined: ['bad', 'Declined'],
  withdrawn: ['neutral', 'Withdrawn'],
}

function Decided({ request }: { readonly request: BudgetRequest }) {
  const [tone, word] = outcomes[request.status as keyof typeof outcomes]
  const granted =
    request.granted_usd === null
      ? ''
      : `${formatUsd(request.granted_usd)} ${request.granted_as === 'raise' ? 'for good' : 'until reset'}, `
  return (
    <span className="flex max-w-72 flex-col items-start gap-1">
      <Badge tone={tone}>{word}</Badge>
      <span className="text-12 whitespace-normal text-text-3 [overflow-wrap:anywhere]">
        {granted}by {request.decided_by} <Time at={request.decided_at} />
        {request.note !== null && `: “${request.note}”`}
      </span>
    </span>
  )
}

const DAYS = 30
const DAY_MS = 86_400_000

/** Days without spend are not told, and are nothing here. */
function last30({ spend_by_day: days }: BudgetRequest): readonly number[] {
  const known = new Map(days.map(({ day, spend_usd }) => [day, spend_usd]))
  const today = Date.now()
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return known.get(day) ?? 0
  })
}
