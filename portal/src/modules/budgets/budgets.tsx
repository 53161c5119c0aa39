/** Every budget, whoever is nearest to the limit first, and the default for those who have none. */
import { CirclePlus, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { BudgetRuler } from '../../charts/budget-ruler.tsx'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/controls.tsx'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { formatPercent, formatUsd } from '../../ui/format.ts'
import { Card, Page } from '../../ui/layout.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { QueryView } from '../../ui/states.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useUrlState } from '../../ui/url-state.ts'
import { Money, Name, Time } from '../../ui/values.tsx'
import { periodWords } from './budget-card.tsx'
import { BudgetForm, type BudgetTerms } from './budget-form.tsx'
import { isPreset, presets, toMarks, writeRules } from './budget-rules.ts'
import type { BudgetSubject, OwnedSubject } from './budget-subject.ts'
import { NewBudget } from './new-budget.tsx'
import { RemoveBudget } from './remove-budget.tsx'
import { TopUpForm } from './top-up-form.tsx'

type Budget = Answer<'/admin/budgets', 'get'>['data'][number]

type Open =
  | { readonly kind: 'form'; readonly subject: BudgetSubject; readonly terms: BudgetTerms | undefined }
  | { readonly kind: 'question'; readonly subject: BudgetSubject }
  | { readonly kind: 'top-up'; readonly subject: OwnedSubject }
  | { readonly kind: 'new' }

const toSubject = ({ scope, subject_id: id, name }: Budget): OwnedSubject => ({ kind: scope, id, name })

const scopes = [
  { value: '', label: 'Teams and people' },
  { value: 'team', label: 'Teams' },
  { value: 'user', label: 'People' },
] as const

/** Of what is shown; a default, or a budget of the other kind, may still limit everybody. */
const emptyTexts = {
  any: { title: 'No budgets', text: 'No team and no person has a budget of their own.' },
  team: { title: 'No budgets of teams', text: 'No team is limited as a whole. People may be.' },
  user: {
    title: 'No budgets of people',
    text: 'No person has a budget of their own. Their team, or the default, may limit them.',
  },
} as const

export function BudgetsPage() {
  const [state, setState] = useUrlState()
  const [open, setOpen] = useState<Open>()
  const params = useListParams()
  const wanted = state['scope']
  const scope: { readonly scope?: 'team' | 'user' } = wanted === 'team' || wanted === 'user' ? { scope: wanted } : {}
  const list = useGet('/admin/budgets', { params: { query: { ...params, ...scope } } }, { keepPrevious: true })
  const { isAdmin } = useRights()
  const columns = useMemo(() => buildColumns(isAdmin ? setOpen : undefined), [isAdmin])
  const close = (): void => setOpen(undefined)
  const add = isAdmin && (
    <Button tone="primary" icon={Plus} onClick={() => setOpen({ kind: 'new' })}>
      Set a budget
    </Button>
  )
  return (
    <Page
      title="Budgets"
      lead="Who may spend how much. Of a person’s budget and the team’s, the stricter one decides."
      actions={add}
    >
      {isAdmin && <DefaultBudget open={setOpen} />}
      <Card isFlush>
        <DataTable
          caption="Budgets"
          columns={columns}
          query={list}
          rowId={({ scope: kind, subject_id: id }) => `${kind} ${id}`}
          searchLabel="Search by name"
          filters={
            <Select
              label="Show"
              value={state['scope'] ?? ''}
              choices={scopes}
              onChange={(next) => setState({ scope: next || undefined, cursor: undefined })}
            />
          }
          empty={{ ...emptyTexts[scope.scope ?? 'any'], action: add }}
        />
      </Card>
      {open?.kind === 'form' && <BudgetForm subject={open.subject} terms={open.terms} onClose={close} />}
      {open?.kind === 'top-up' && <TopUpForm subject={open.subject} hasList onClose={close} />}
      {open?.kind === 'question' && <RemoveBudget subject={open.subject} onClose={close} />}
      {open?.kind === 'new' && (
        <NewBudget onChosen={(subject) => setOpen({ kind: 'form', subject, terms: undefined })} onClose={close} />
      )}
    </Page>
  )
}

/** Without `open` there is nothing that can be changed. */
function buildColumns(open: ((next: Open) => void) | undefined): readonly Column<Budget>[] {
  return [
    {
      id: 'name',
      header: 'Whose',
      sort: 'name',
      cell: ({ scope, subject_id: id, name }) => (
        <span className="flex flex-col">
          <PageLink to={`/${scope}s/${id}`}>
            <Name text={name} />
          </PageLink>
          <span className="text-12 font-normal text-text-3">{scope === 'team' ? 'Team' : 'Person'}</span>
        </span>
      ),
    },
    { id: 'status', header: 'State', cell: ({ status }) => <BudgetBadge status={status} /> },
    {
      id: 'percent',
      header: 'Used',
      sort: 'percent',
      align: 'right',
      cell: ({ percent }) => <span className="tabular">{formatPercent(percent)}</span>,
    },
    { id: 'spend', header: 'Spent', sort: 'spend_usd', align: 'right', cell: (row) => <Money usd={row.spend_usd} /> },
    {
      id: 'limit',
      header: 'Limit',
      sort: 'limit_usd',
      align: 'right',
      cell: ({ limit_usd, top_up_usd: onTop, period }) => (
        <span className="flex flex-col items-end whitespace-nowrap">
          {`${formatUsd(limit_usd)} ${periodWords[period]}`}
          {onTop > 0 && <span className="text-12 text-text-3">+ {formatUsd(onTop)} until it resets</span>}
        </span>
      ),
    },
    {
      id: 'policy',
      header: 'Policy',
      isMinor: true,
      cell: ({ policy, rules }) => (typeof policy === 'string' ? policy : writeRules(rules).replaceAll('\n', ', ')),
    },
    { id: 'resets', header: 'Resets', isMinor: true, cell: ({ resets_at: at }) => <Time at={at} isAhead /> },
    ...(open === undefined ? [] : [actionsColumn(open)]),
  ]
}

function actionsColumn(open: (next: Open) => void): Column<Budget> {
  return {
    id: 'actions',
    header: 'Actions',
    align: 'right',
    cell: (budget) => (
      <Menu
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${budget.name}`} />}
        entries={[
          {
            kind: 'action',
            label: 'Change',
            icon: Pencil,
            onSelect: () => open({ kind: 'form', subject: toSubject(budget), terms: budget }),
          },
          {
            kind: 'action',
            label: 'Top up',
            icon: CirclePlus,
            onSelect: () => open({ kind: 'top-up', subject: toSubject(budget) }),
          },
          {
            kind: 'action',
            label: 'Remove',
            icon: Trash2,
            isDangerous: true,
            onSelect: () => open({ kind: 'question', subject: toSubject(budget) }),
          },
        ]}
      />
    ),
  }
}

function DefaultBudget({ open }: { readonly open: (next: Open) => void }) {
  const settings = useGet('/admin/settings')
  const subject = { kind: 'default' } as const
  return (
    <QueryView query={settings} rows={2}>
      {(all) => {
        const terms = (all as Record<string, unknown>)['default_budget'] as BudgetTerms | null | undefined
        const rules = isPreset(terms?.policy) ? presets[terms.policy] : (terms?.policy ?? presets.standard)
        return (
          <Card
            title="Default for everybody"
            lead="For people without a budget of their own and without a limit of their team for each member."
            actions={
              <>
                <Button icon={Pencil} onClick={() => open({ kind: 'form', subject, terms: terms ?? undefined })}>
                  {terms == null ? 'Set a default' : 'Change default'}
                </Button>
                {terms != null && (
                  <Button icon={Trash2} tone="danger" onClick={() => open({ kind: 'question', subject })}>
                    Remove default
                  </Button>
                )}
              </>
            }
          >
            {terms == null ? (
              <p className="text-text-2">There is none: such people spend without a limit of their own.</p>
            ) : (
              <>
                <p className="mb-3">
                  {formatUsd(terms.limit_usd)} {periodWords[terms.period]} for each person
                </p>
                <BudgetRuler
                  label="Default budget"
                  spendUsd={0}
                  limitUsd={terms.limit_usd}
                  state="ok"
                  marks={typeof rules === 'string' ? [] : toMarks(rules)}
                />
              </>
            )}
          </Card>
        )
      }}
    </QueryView>
  )
}
