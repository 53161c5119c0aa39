/** The teams: how many people, and what they may spend. */
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable, useListParams } from '../../ui/data-table.tsx'
import { formatDay, formatNumber, formatUsd } from '../../ui/format.ts'
import { Card, Page } from '../../ui/layout.tsx'
import type { CsvColumn } from '../../ui/table-export.ts'
import { Nothing } from '../../ui/values.tsx'
import { type Team, TeamForm } from './team-form.tsx'

type Budget = Answer<'/admin/budgets', 'get'>['data'][number]

export function TeamsPage() {
  const navigate = useNavigate()
  const [isAdding, setIsAdding] = useState(false)
  const params = useListParams()
  const { cursor: _, ...shown } = params
  const teams = useGet('/admin/teams', { params: { query: params } }, { keepPrevious: true })
  const budgets = useGet('/admin/budgets', { params: { query: { scope: 'team', limit: 200 } } })
  const budgetOf = useMemo(
    () => new Map((budgets.data?.data ?? []).map((budget) => [budget.subject_id, budget])),
    [budgets.data],
  )
  const columns = useMemo(() => columnsOf(budgetOf), [budgetOf])
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
            // A file that says "no budget" of a team whose budget was not read would be wrong.
            columns: budgets.data?.has_more === false ? [...csvColumns, ...csvBudget(budgetOf)] : csvColumns,
            load: (page) => api.get('/admin/teams', { params: { query: { ...shown, ...page } } }),
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

const csvColumns: readonly CsvColumn<Team>[] = [
  { header: 'id', value: ({ id }) => id },
  { header: 'name', value: ({ name }) => name },
  { header: 'members', value: (team) => team.member_count },
  { header: 'created_at', value: (team) => team.created_at },
]

function csvBudget(budgets: ReadonlyMap<string, Budget>): readonly CsvColumn<Team>[] {
  return [
    { header: 'budget_usd', value: ({ id }) => budgets.get(id)?.limit_usd ?? null },
    { header: 'spend_usd', value: ({ id }) => budgets.get(id)?.spend_usd ?? null },
    { header: 'budget_status', value: ({ id }) => budgets.get(id)?.status ?? null },
  ]
}

function columnsOf(budgets: ReadonlyMap<string, Budget>): readonly Column<Team>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      sort: 'name',
      cell: ({ id, name }) => (
        <Link to={`/teams/${id}` as never} className="text-accent hover:underline">
          {name}
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
      cell: ({ id }) => {
        const budget = budgets.get(id)
        return budget === undefined ? (
          <Nothing word="no budget" />
        ) : (
          <span className="tabular">
            {formatUsd(budget.spend_usd)} of {formatUsd(budget.limit_usd)}
          </span>
        )
      },
    },
    {
      id: 'state',
      header: 'Budget',
      cell: ({ id }) => {
        const budget = budgets.get(id)
        return budget === undefined ? <Nothing word="no budget" /> : <BudgetBadge status={budget.status} />
      },
    },
    {
      id: 'created',
      header: 'Made',
      sort: 'created_at',
      isMinor: true,
      cell: ({ created_at: at }) => formatDay(at),
    },
  ]
}
