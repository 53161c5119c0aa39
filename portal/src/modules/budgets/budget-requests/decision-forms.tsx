/** The decision about a request: how much and for how long, or why not. */
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { api } from '../../../api/client.ts'
import { useWrite } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { formatTime, formatUsd } from '../../../ui/format.ts'
import { budgetPaths } from '../budget-subject.ts'
import { dollars, words } from '../dollars.ts'
import type { BudgetRequest } from './budget-request.ts'

interface Props {
  readonly request: BudgetRequest
  readonly onClose: () => void
}

const approval = z.object({ as: z.enum(['top_up', 'raise']), amount_usd: dollars, note: words })
type Approval = z.infer<typeof approval>

const lengths = [
  { value: 'top_up', label: 'Until the budget resets' },
  { value: 'raise', label: 'For good' },
] as const

const describeOwner = ({ scope, team_name: team, user_name: user }: BudgetRequest): string =>
  scope === 'team' ? `the team ${team}` : user

const params = ({ id }: BudgetRequest) => ({ path: { budget_request_id: id } })

export function ApproveForm({ request, onClose }: Props) {
  const { isAdmin } = useRights()
  const approve = useWrite(
    ({ as, amount_usd: amount, note }: Approval) =>
      api.post('/admin/budget-requests/{budget_request_id}/approve', {
        params: params(request),
        body: { as, amount_usd: Number(amount), ...(note === '' ? {} : { note }) },
      }),
    {
      refreshes: budgetPaths,
      done: (made) => `${formatUsd(made.granted_usd ?? 0)} more for ${describeOwner(request)}.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Approve ${formatUsd(request.amount_usd)} for ${describeOwner(request)}?`}
      {...(request.reason === null ? {} : { lead: `“${request.reason}”` })}
    >
      <Form
        schema={approval}
        defaults={{ as: 'top_up', amount_usd: String(request.amount_usd), note: '' }}
        submit="Approve"
        failureTitle="This was not approved"
        onCancel={onClose}
        onSubmit={(values) => approve.mutateAsync(values)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="amount_usd" label="Amount in US dollars" inputMode="decimal" />
          <SelectField name="as" label="How long" choices={isAdmin ? lengths : lengths.slice(0, 1)} />
        </div>
        <Effect request={request} />
        <TextField name="note" label="Note" hint="Shown to whoever has asked. May be empty." />
      </Form>
    </Dialog>
  )
}

/** What the limit will be, while one chooses. */
function Effect({ request: { budget, scope } }: { readonly request: BudgetRequest }) {
  const { as, amount_usd: amount } = useWatch() as Approval
  const more = Number(amount)
  if (budget === null || !(more > 0)) return null
  const now = budget.limit_usd + budget.top_up_usd
  return (
    <p className="text-13 text-text-2">
      The limit becomes {formatUsd(now + more)} instead of {formatUsd(now)}
      {as === 'top_up' ? ` until ${formatTime(budget.resets_at)}.` : '.'}
      {as === 'raise' &&
        (scope === 'team'
          ? ' The budget of the team is changed.'
          : budget.source !== 'own' && ' They get a budget of their own, with the same period and rules.')}
    </p>
  )
}

const refusal = z.object({ note: words })

export function DeclineForm({ request, onClose }: Props) {
  const decline = useWrite(
    ({ note }: z.infer<typeof refusal>) =>
      api.post('/admin/budget-requests/{budget_request_id}/decline', {
        params: params(request),
        body: note === '' ? {} : { note },
      }),
    {
      refreshes: budgetPaths,
      done: `What ${request.user_name} asked for is declined.`,
      onDone: onClose,
      showsErrors: true,
    },
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Decline ${formatUsd(request.amount_usd)} for ${describeOwner(request)}?`}
      lead="Nothing changes for their budget. They can ask again."
    >
      <Form
        schema={refusal}
        defaults={{ note: '' }}
        submit="Decline"
        submitTone="danger"
        failureTitle="This was not declined"
        onCancel={onClose}
        onSubmit={(values) => decline.mutateAsync(values)}
      >
        <TextField name="note" label="Note" hint="Shown to whoever has asked. May be empty." />
      </Form>
    </Dialog>
  )
}
