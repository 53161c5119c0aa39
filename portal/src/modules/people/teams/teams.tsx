/** The teams: how many people, and what they may spend. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Answer, api } from '../../../api/client.ts'
import { useGet } from '../../../api/queries.ts'
import { BudgetBadge } from '../../../ui/budget-badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable, useListParams } from '../../../ui/data-table.tsx'
import { formatDay, formatNumber, formatUsd } from '../../../ui/format.ts'
import { Card, Page } from '../../../ui/layout.tsx'
import type { Column } from '../../../ui/table-column.ts'
import type { CsvColumn } from '../../../ui/table-export.ts'
import { Name, Nothing } from '../../../ui/values.tsx'
import { type Team, TeamForm } from './team-form.tsx'

type Budget = Answer<'/admin/budgets', 'get'>['data'][number]

/** A budget of null is none; undefined while it is asked for. */
interface BudgetedTeam extends Team {
  readonly budget: Budget | null | undefined
}

export function TeamsPage() {
  const navigate = useNavigate()
  const [isAdding, setIsAdding] = useState(false)
  const params = useListParams()
  const { cursor: _, ...shown } = params
  const teams = useBudgetedTeams(params)
  const open = ({ id }: Team): void => void navigate({ to: `/teams/${id}` as never })
  const add = (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      New team
    </Button>
  )
  return (
    <Page title="Teams" lead="Who works together, and what they may spend." actions={add}>
      <Card isFlush>
        <DataTable
          caption="Teams"
          columns={columns}
          query={teams}
          rowId={({ id }) => id}
          searchLabel="Search teams"
          onOpen={open}
          exports={{
            name: 'teams',
            columns: csvColumns,
            load: (page) => loadBudgetedTeams({ ...shown, ...page }),
          }}
          empty={{
            title: 'No teams yet',
            text: 'A team has a budget, endpoints and settings of its own.',
            action: add,
          }}
        />
      </Card>
      {isAdding && <TeamForm team={undefined} onClose={() => setIsAdding(false)} onSaved={open} />}
    </Page>
  )
}

type TeamQuery = ReturnType<typeof useListParams>

/** The budgets of just these teams: there may be more budgets than a list shows. */
function toBudgetQuery(teams: readonly Team[]) {
  return { params: { query: { scope: 'team' as const, ids: teams.map(({ id }) => id).join(','), limit: MAX_BUDGETS } } }
}

const MAX_BUDGETS = 200

function withBudgets(teams: readonly Team[], budgets: readonly Budget[] | undefined): readonly BudgetedTeam[] {
  const bySubject = new Map(budgets?.map((budget) => [budget.subject_id, budget]))
  return teams.map((team) => ({ ...team, budget: budgets && (bySubject.get(team.id) ?? null) }))
}

function useBudgetedTeams(query: TeamQuery) {
  const teams = useGet('/admin/teams', { params: { query } }, { keepPrevious: true })
  const listed = teams.data?.data ?? noTeams
  const budgets = useGet('/admin/budgets', toBudgetQuery(listed), { enabled: listed.length > 0 })
  const data = useMemo(
    () => teams.data && { ...teams.data, data: withBudgets(teams.data.data, budgets.data?.data) },
    [teams.data, budgets.data],
  )
  const { error, isFetching, refetch } = teams.error === null ? { ...budgets, isFetching: teams.isFetching } : teams
  return { data, error, isFetching, isPlaceholderData: teams.isPlaceholderData, refetch }
}

const noTeams: readonly Team[] = []

async function loadBudgetedTeams(query: TeamQuery) {
  const teams = await api.get('/admin/teams', { params: { query } })
  const budgets = teams.data.length === 0 ? undefined : await api.get('/admin/budgets', toBudgetQuery(teams.data))
  return { ...teams, data: withBudgets(teams.data, budgets?.data) }
}

const csvColumns: readonly CsvColumn<BudgetedTeam>[] = [
  { header: 'id', value: ({ id }) => id },
  { header: 'name', value: ({ name }) => name },
  { header: 'members', value: (team) => team.member_count },
  { header: 'created_at', value: (team) => team.created_at },
  { header: 'budget_usd', value: ({ budget }) => budget?.limit_usd ?? null },
  { header: 'spend_usd', value: ({ budget }) => budget?.spend_usd ?? null },
  { header: 'budget_status', value: ({ budget }) => budget?.status ?? null },
]

const columns: readonly Column<BudgetedTeam>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <Link to={`/teams/${id}` as never} className="text-accent hover:underline">
        <Name text={name} />
      </Link>
    ),
  },
  {
    id: 'members',
    header: 'People',
    align: 'right',
    cell: ({ member_count: count }) => <span className="tabular">{formatNumber(count)}</span>,
  },
  {
    id: 'spend',
    header: 'Spent of budget',
    align: 'right',
    cell: ({ budget }) =>
      budget ? (
        <span className="tabular">
          {formatUsd(budget.spend_usd)} of {formatUsd(budget.limit_usd + budget.top_up_usd)}
        </span>
      ) : (
        budget === null && <Nothing word="no budget" />
      ),
  },
  {
    id: 'state',
    header: 'Budget',
    cell: ({ budget }) =>
      budget ? <BudgetBadge status={budget.status} /> : budget === null && <Nothing word="no budget" />,
  },
  {
    id: 'created',
    header: 'Made',
    sort: 'created_at',
    isMinor: true,
    cell: ({ created_at: at }) => formatDay(at),
  },
]
